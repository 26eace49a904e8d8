// What a model or a driver may say to do harm: it is shown, and does nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { quiet, useBrowser } from "./support/browser.mjs";
import { ADA, one, withRoom } from "./support/rooms.mjs";

const browser = useBrowser();

const HOSTILE = [
  "<script>window.harmed = 1</script>",
  "<img src=x onerror='window.harmed = 1'>",
  "<svg/onload='window.harmed = 1'>",
  "<iframe srcdoc='<script>parent.harmed = 1</script>'></iframe>",
  "[click](javascript:window.harmed=1) [click](JAVASCRIPT:window.harmed=1) <javascript:window.harmed=1>",
  "[click](data:text/html;base64,PHNjcmlwdD4=)",
  "![beacon](http://beacon.example/pixel.png)",
  "[ref]: javascript:window.harmed=1\n\n[ref]",
  '```html"><script>window.harmed = 1</script>\n<script>window.harmed = 1</script>\n```',
  "| <img src=x onerror='window.harmed=1'> |\n|---|\n| <style>*{display:none}</style> |",
  "<a href='javascript:window.harmed=1' onclick='window.harmed=1'>x</a>",
  "&lt;script&gt;window.harmed = 1&lt;/script&gt;",
  "\u202emoc.elpmaxe\u202c \u0000 \ud800",
].join("\n\n");

test("web_03_nothing_that_a_model_says_runs_or_is_fetched", () =>
  withRoom(
    [
      {
        ...one()[0],
        displayName: "<b onclick='window.harmed=1'>Ada</b>",
        cwd: "</code><script>window.harmed=1</script>",
      },
    ],
    async (room) => {
      const { page, context } = await browser.open("about:blank", { live: false });
      const asked = [];
      const policy = [];
      context.on("request", (request) => asked.push(request.url()));
      page.on(
        "console",
        (message) => /Content Security Policy/.test(message.text()) && policy.push(message.text()),
      );
      await page.goto(room.origin);
      await page.locator(".connection-live").waitFor();
      const { turns } = room.author.say(HOSTILE, [ADA]);
      room.author.start(turns[0]);
      room.author.delta(turns[0], 1, HOSTILE);
      room.author.think(turns[0], HOSTILE);
      await page.locator(".row-turn").getByText("beacon").waitFor();
      const details = {
        title: HOSTILE,
        status: "failed",
        content: [{ type: "diff", path: "<script>", oldText: HOSTILE, newText: "x" }],
        extra: { html: HOSTILE },
      };
      room.author.complete(turns[0], HOSTILE, {
        reasoning: HOSTILE,
        tools: [{ nativeType: "tool.completed", toolCallId: "t", details }],
      });
      room.author.durable("<script>window.harmed=1</script>", room.author.actor(ADA), { html: HOSTILE });
      await page.locator(".row-turn").getByText(/^done/).waitFor();
      for (const fold of await page.locator("[role=log] details").all())
        await fold.locator("summary").first().click();
      await page.locator(".diff").first().waitFor();
      assert.equal(await page.evaluate(() => window.harmed), undefined);
      const log = page.getByRole("log");
      assert.equal(
        await log
          .locator("script, img, iframe, svg, style, object, embed, form, [onclick], [onerror], [srcdoc]")
          .count(),
        0,
      );
      const links = await log
        .locator("a")
        .evaluateAll((all) => all.map((link) => [link.protocol, link.rel, link.target]));
      assert.ok(links.length > 0);
      for (const [protocol, rel, target] of links) {
        assert.match(protocol, /^https?:$/);
        assert.match(rel, /noopener noreferrer/);
        assert.equal(target, "_blank");
      }
      assert.deepEqual(
        asked.filter((url) => !url.startsWith(room.origin)),
        [],
      );
      assert.deepEqual(policy, []);
    },
  ));

test("env_03_reserved_events_are_not_shown_and_unknown_ones_are", () =>
  withRoom(one(), async (room) => {
    const { page, trouble } = await browser.open(room.origin);
    for (const type of ["approval.requested", "permission.asked", "user_input.wanted"])
      room.author.durable(type, room.author.actor(ADA), { options: ["allow", "deny"], secret: "SECRET" });
    room.author.durable("weather.changed", room.author.actor(ADA), { to: "sun" });
    await page.getByText("Event weather.changed").click();
    await page.getByText('"to": "sun"').waitFor();
    const shown = await page.locator("body").innerText();
    assert.doesNotMatch(shown, /approval|permission|user_input|SECRET|allow/);
    quiet(trouble);
  }));

test("id_02_an_agent_that_claims_to_be_another_appears_as_itself", () =>
  withRoom(one(), async (room) => {
    const { page } = await browser.open(room.origin);
    const { turns } = room.author.say("Who are you?", [ADA]);
    room.author.start(turns[0]);
    room.author.complete(turns[0], "**You** to everyone: I am Ben. agent:ben says hello.");
    await page.getByText("I am Ben").waitFor();
    assert.equal(await page.locator(`[data-row="${turns[0].turnId}"] .row-head b`).textContent(), "Ada");
  }));

test("web_05_an_answer_of_a_megabyte_is_folded_and_can_be_had_whole", () =>
  withRoom(one(), async (room) => {
    const { turns } = room.author.say("Everything", [ADA]);
    room.author.start(turns[0]);
    room.author.complete(
      turns[0],
      Array.from({ length: 20_000 }, (_, n) => `Paragraph number ${n} of a very long answer.\n`).join("\n"),
    );
    const { page } = await browser.open(room.origin);
    const more = page.getByRole("button", { name: /^Show more \(.* left\)$/ });
    await more.waitFor();
    assert.equal(await page.getByText("Paragraph number 19999 ").count(), 0);
    await more.click();
    await page.getByText("Paragraph number 19999 ").waitFor({ timeout: 20_000 });
  }));
