// A page of somebody else's, open in the same browser, that would like to use the room.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { useBrowser } from "./support/browser.mjs";
import { withProgram } from "./support/program.mjs";

const browser = useBrowser();

/** What such a page can try; each attempt answers with what it got hold of, or why it did not. */
async function attempts(room) {
  const message = JSON.stringify({ clientCommandId: "evil", to: ["@all"], content: "EVIL" });
  const tool = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "publish", arguments: { content: "EVIL", clientCommandId: "evil" } },
  });
  const types = ["application/json", "text/plain", "application/x-www-form-urlencoded"];
  const got = [];
  const fetched = async (path, init) => {
    try {
      const response = await fetch(room + path, init);
      got.push([path, response.type, await response.text()]);
    } catch (error) {
      got.push([path, "refused", String(error)]);
    }
  };
  for (const mode of ["cors", "no-cors"]) {
    for (const type of types) {
      await fetched("/api/messages", {
        method: "POST",
        mode,
        headers: { "content-type": type },
        body: message,
      });
      await fetched("/mcp", {
        method: "POST",
        mode,
        headers: { "content-type": type, accept: "application/json, text/event-stream" },
        body: tool,
      });
    }
    for (const path of ["/api/bootstrap", "/api/health", "/api/history?beforeSeq=9&limit=9", "/mcp"])
      await fetched(path, { mode });
  }
  navigator.sendBeacon(`${room}/api/messages`, new Blob([message], { type: "text/plain" }));
  await new Promise((resolve) => {
    const events = new EventSource(`${room}/api/events?afterSeq=0`);
    events.onmessage = ({ data }) => {
      got.push(["/api/events", "message", data]);
      resolve();
    };
    events.onerror = resolve;
  });
  const frame = document.createElement("iframe");
  frame.src = room;
  await new Promise((resolve) => {
    frame.onload = resolve;
    document.body.append(frame);
  });
  got.push(["frame", "text", frame.contentDocument?.body.innerText ?? ""]);
  const target = document.createElement("iframe");
  target.name = "sink";
  document.body.append(target);
  const form = Object.assign(document.createElement("form"), {
    action: `${room}/api/messages`,
    method: "POST",
    enctype: "text/plain",
    target: "sink",
  });
  form.append(Object.assign(document.createElement("input"), { name: message.slice(0, -1), value: "}" }));
  document.body.append(form);
  form.submit();
  await new Promise((resolve) => (target.onload = resolve));
  return got;
}

test("sec_02_a_page_of_another_origin_can_neither_send_nor_read_nor_call_a_tool", () =>
  withProgram({ ada: "Ada" }, async (program) => {
    const { page: own } = await browser.open(program.origin);
    await own.getByRole("textbox", { name: "Message" }).fill("SECRET of the room");
    await own.keyboard.press("Enter");
    await own.getByText("echo: SECRET of the room").waitFor();
    const before = await program.bootstrap();
    const other = createServer((_, response) =>
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("<!doctype html><title>other</title><body>"),
    );
    await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
    try {
      for (const host of ["127.0.0.1", "localhost"]) {
        const { page, context } = await browser.open(`http://${host}:${other.address().port}`, {
          live: false,
        });
        const got = await page.evaluate(attempts, program.origin);
        for (const [what, how, text] of got)
          assert.doesNotMatch(
            text,
            /SECRET|instanceId|throughSeq|evt_|tools/,
            `${what} (${how}) told something`,
          );
        await context.close();
      }
    } finally {
      other.close();
    }
    // The room's own page can: what was refused above was refused for where it came from.
    assert.match(await own.evaluate(() => fetch("/api/bootstrap").then((answer) => answer.text())), /SECRET/);
    const after = await program.bootstrap();
    assert.equal(after.room.throughSeq, before.room.throughSeq);
    assert.doesNotMatch(JSON.stringify(after), /EVIL/);
  }));

test("sec_03_the_page_loads_nothing_from_elsewhere_and_holds_its_own_policy", () =>
  withProgram({ ada: "Ada" }, async (program) => {
    const { page, context } = await browser.open("about:blank", { live: false });
    const asked = [];
    const broken = [];
    context.on("request", (request) => asked.push(request.url()));
    page.on(
      "console",
      (message) => /Content Security Policy/.test(message.text()) && broken.push(message.text()),
    );
    const response = await page.goto(program.origin);
    await page.locator(".connection-live").waitFor();
    assert.match(response.headers()["content-security-policy"], /default-src 'self'/);
    assert.deepEqual(
      asked.filter((url) => !url.startsWith(program.origin)),
      [],
    );
    assert.deepEqual(broken, []);
    assert.equal(
      await page.locator("script:not([src]), style, [style*='url'], [onclick], [onload]").count(),
      0,
    );
  }));
