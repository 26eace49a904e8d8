// A line that breaks, a host that ends and comes back, and writing meanwhile.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until, useBrowser } from "./support/browser.mjs";
import { ADA, one, two, withRoom } from "./support/rooms.mjs";

const browser = useBrowser();
const composer = (page) => page.getByRole("textbox", { name: "Message" });

test("web_07_a_host_that_dies_and_comes_back_costs_no_event", () =>
  withRoom(one(), async (room) => {
    const first = room.author.say("Before", [ADA]).turns[0];
    room.author.start(first);
    const { page } = await browser.open("about:blank", { live: false });
    await page.clock.install();
    await page.goto(room.origin);
    await page.locator(".connection-live").waitFor();
    room.author.delta(first, 1, "Half of ");
    await page.getByText("Half of").waitFor();
    await room.close();
    await page.getByText("not connected").waitFor();
    await page.getByText(/^No connection since \d\d:\d\d\. Trying again\.$/).waitFor();
    await page.clock.fastForward(11_000);
    await page.getByText("groupx start").waitFor();
    room.author.complete(first, "Half of it, and the rest.");
    room.author.say("Meanwhile", [ADA]);
    await room.listen(room.port);
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByText("Half of it, and the rest.").waitFor();
    await page.getByText("Meanwhile").waitFor();
    await page.locator(".connection-live").waitFor();
    assert.equal(await page.locator(".reconnect-bar").count(), 0);
    assert.equal(await page.getByText("Before", { exact: true }).count(), 1);
    room.author.say("After", [ADA]);
    await page.getByText("After", { exact: true }).waitFor();
  }));

test("web_07_what_streams_says_that_it_lacks_a_part_after_a_break", () =>
  withRoom(one(), async (room) => {
    const { turns } = room.author.say("Go", [ADA]);
    room.author.start(turns[0]);
    const { page } = await browser.open(room.origin);
    await page.getByText("The part before this page was open appears when the turn ends.").waitFor();
    room.author.complete(turns[0], "All of it");
    await page.getByText("All of it").waitFor();
    assert.equal(await page.getByText("The part before").count(), 0);
  }));

test("web_07_another_room_on_the_same_port_is_shown_as_it_is", () =>
  withRoom(one(), async (room) => {
    for (const text of ["one", "two", "three"]) room.author.say(`Old ${text}`, [ADA]);
    const { page } = await browser.open(room.origin);
    await page.getByText("Old three").waitFor();
    await room.close();
    room.events = [];
    room.open.clear();
    room.author.seq = 0;
    room.author.say("New room", [ADA]);
    await room.listen(room.port);
    await page.getByText("New room").waitFor();
    assert.equal(await page.getByText("Old three").count(), 0);
  }));

test("web_07_silence_ends_a_line_that_only_looks_open", () =>
  withRoom(one(), async (room) => {
    const { page } = await browser.open("about:blank", { live: false });
    await page.clock.install();
    await page.goto(room.origin);
    await page.locator(".connection-live").waitFor();
    const connects = () => room.calls.filter((call) => call === "GET /api/events").length;
    assert.equal(connects(), 1);
    await page.clock.runFor(58_000);
    assert.equal(connects(), 1);
    await page.clock.runFor(20_000);
    await page.locator(".connection-live").waitFor();
    assert.equal(connects(), 2);
  }));

test("a_refused_message_stays_in_the_composer_with_the_reason", () =>
  withRoom(one(), async (room) => {
    const { page } = await browser.open(room.origin);
    const accept = room.onWrite;
    room.onWrite = () => [
      429,
      {
        error: { code: "QUEUE_CAPACITY_REACHED", message: "Ada has 64 messages waiting: stop some or wait." },
      },
    ];
    await composer(page).fill("One more");
    await composer(page).press("Enter");
    await page.getByText("Ada has 64 messages waiting: stop some or wait.").waitFor();
    assert.equal(await composer(page).inputValue(), "One more");
    room.onWrite = accept;
    await composer(page).press("Enter");
    await page.getByRole("log").getByText("One more").waitFor();
    assert.equal(await page.getByText("64 messages").count(), 0);
  }));

test("idem_01_a_message_whose_answer_was_lost_is_sent_again_as_the_same_one", () =>
  withRoom(one(), async (room) => {
    const { page } = await browser.open(room.origin);
    const ids = [];
    await page.route("**/api/messages", (route) => {
      ids.push(route.request().postDataJSON().clientCommandId);
      return ids.length === 1 ? route.abort() : route.continue();
    });
    await composer(page).fill("Twice");
    await composer(page).press("Enter");
    await page.getByText("GroupX did not answer.").waitFor();
    await composer(page).press("Enter");
    await page.getByRole("log").getByText("Twice").waitFor();
    assert.equal(ids[0], ids[1]);
    await composer(page).fill("Twice");
    await composer(page).press("Enter");
    await until(page, () => document.querySelectorAll(".row-message").length === 2);
    assert.notEqual(ids[2], ids[1]);
  }));

test("drafts_and_recipients_survive_a_reload", () =>
  withRoom(two(), async (room) => {
    const { page } = await browser.open(room.origin);
    const chip = (name) => page.getByRole("group", { name: "To" }).getByRole("button", { name });
    await chip("Ben").click();
    await chip("Ada").click();
    await composer(page).fill("Half a thought");
    await page.reload();
    assert.equal(await composer(page).inputValue(), "Half a thought");
    assert.deepEqual(
      [await chip("Ada").getAttribute("aria-pressed"), await chip("Ben").getAttribute("aria-pressed")],
      ["false", "true"],
    );
    await chip("Ben").click();
    await composer(page).press("Enter");
    await page.getByText("Choose who the message is for.").waitFor();
  }));

test("a_hidden_tab_counts_what_ended_in_its_title", () =>
  withRoom(one(), async (room) => {
    const { turns } = room.author.say("Go", [ADA]);
    room.author.start(turns[0]);
    const { page, context } = await browser.open(room.origin);
    await page.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    room.author.complete(turns[0], "Done");
    await until(page, () => document.title === "(1) GroupX");
    await page.evaluate(() => {
      delete document.visibilityState;
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await until(page, () => document.title === "GroupX");
    await context.close();
  }));
