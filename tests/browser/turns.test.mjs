// A Turn in the timeline, through all its states in place.

import assert from "node:assert/strict";
import { test } from "node:test";
import { quiet, useBrowser } from "./support/browser.mjs";
import { ADA, BEN, one, two, withRoom } from "./support/rooms.mjs";

const browser = useBrowser();

const composer = (page) => page.getByRole("textbox", { name: "Message" });
const row = (page, turn) => page.locator(`[data-row="${turn.turnId}"]`);

test("web_01_a_message_to_one_is_answered_live_and_reads_the_same_after_a_reload", () =>
  withRoom(one(), async (room) => {
    const { page, trouble } = await browser.open(room.origin);
    await page.getByText("Write the first message below: Ada answers here.").waitFor();
    const asked = new Promise((resolve) => (room.onTurns = ([turn]) => resolve(turn)));
    await composer(page).fill("Hello there");
    await composer(page).press("Enter");
    const turn = await asked;
    await row(page, turn).getByText("queued").waitFor();
    room.author.start(turn);
    await row(page, turn)
      .getByText(/^working 0:0/)
      .waitFor();
    room.author.think(turn, "What do they want?");
    room.author.tool(turn, "t1", "tool.started", { title: "ls -la", status: "running" });
    room.author.delta(turn, 1, "Hello ");
    room.author.delta(turn, 2, "**to you**");
    await row(page, turn).getByText("Hello to you").waitFor();
    assert.equal(await row(page, turn).locator("strong").textContent(), "to you");
    await row(page, turn).getByText("Tools 1").waitFor();
    await row(page, turn).getByText("Reasoning").click();
    await row(page, turn).getByText("What do they want?").waitFor();
    const tools = [
      { nativeType: "tool.started", toolCallId: "t1", details: { title: "ls -la", status: "running" } },
      { nativeType: "tool.completed", toolCallId: "t1", details: { title: "ls -la", status: "completed" } },
    ];
    room.author.complete(turn, "Hello **to you**", {
      reasoning: "What do they want?",
      tools,
      usage: { inputTokens: 1200, outputTokens: 34 },
    });
    await row(page, turn)
      .getByText(/^done · 0:00 · 1\.2k tokens in, 34 out$/i)
      .waitFor();
    assert.equal(await composer(page).inputValue(), "");
    const shown = await row(page, turn).innerText();
    await page.reload();
    await row(page, turn).getByText("Reasoning").click();
    await row(page, turn).getByText("What do they want?").waitFor();
    assert.equal(await row(page, turn).innerText(), shown);
    quiet(trouble);
  }));

test("web_01_a_message_to_all_makes_a_turn_for_each_and_they_end_apart", () =>
  withRoom(two(), async (room) => {
    const { page } = await browser.open(room.origin);
    const asked = new Promise((resolve) => (room.onTurns = (turns, body) => resolve([turns, body])));
    await page.getByRole("button", { name: "@all" }).click();
    await composer(page).fill("Everyone?");
    await page.getByRole("button", { name: "Send" }).click();
    const [[ada, ben], body] = await asked;
    assert.deepEqual(body.to, ["@all"]);
    assert.equal(body.replyToEventId, null);
    for (const turn of [ada, ben]) room.author.start(turn);
    room.author.complete(ben, "Here.");
    room.author.end(ada, "failed", {
      errorCode: "NATIVE_TURN_FAILED",
      message: "Ada's model is overloaded.",
    });
    await row(page, ben).getByText("Here.").waitFor();
    await row(page, ada).getByText("failed", { exact: true }).waitFor();
    await row(page, ada).getByText("Ada's model is overloaded.").waitFor();
    await page.getByText("to everyone").waitFor();
  }));

test("web_02_stop_is_on_the_row_and_says_what_it_stops", () =>
  withRoom(two(), async (room) => {
    const { turns } = room.author.say("Go", [ADA, BEN]);
    room.author.start(turns[0]);
    const { page } = await browser.open(room.origin);
    await row(page, turns[1]).getByRole("button", { name: "Take back" }).waitFor();
    await row(page, turns[0]).getByRole("button", { name: "Stop Ada" }).click();
    await row(page, turns[0]).getByText("stopped", { exact: true }).waitFor();
    assert.equal(await row(page, turns[0]).getByRole("button", { name: /Stop/ }).count(), 0);
    assert.equal(await row(page, turns[1]).getByText("queued").count(), 1);
  }));

test("web_02_every_state_can_be_read_at_a_glance", () =>
  withRoom(one(), async (room) => {
    const turns = ["a", "b", "c", "d", "e"].map((text) => room.author.say(text, [ADA]).turns[0]);
    for (const turn of turns.slice(0, 4)) room.author.start(turn);
    room.author.complete(turns[0], "");
    room.author.end(turns[1], "failed", { errorCode: "TURN_IDLE_TIMEOUT" });
    room.author.end(turns[2], "interrupted", { errorCode: "TURN_INTERRUPTED", partialText: "Half a" });
    const { page } = await browser.open(room.origin);
    await row(page, turns[0]).getByText("Done without a text.").waitFor();
    await row(page, turns[1]).getByText("fell silent in the middle of the turn").waitFor();
    await row(page, turns[1]).getByText("TURN_IDLE_TIMEOUT").waitFor();
    await row(page, turns[2]).getByText("What it had written before it ended:").waitFor();
    await row(page, turns[2]).getByText("Half a").waitFor();
    await row(page, turns[3])
      .getByText(/^working/)
      .waitFor();
    await row(page, turns[4]).getByText("queued").waitFor();
    await page.getByRole("navigation", { name: "Agents" }).getByText("1 queued").waitFor();
  }));

test("web_02_a_reply_quotes_its_message_and_leads_to_it", () =>
  withRoom(one(), async (room) => {
    const { turns } = room.author.say("First", [ADA]);
    room.author.start(turns[0]);
    const answer = room.author.complete(turns[0], "The answer is forty-two.");
    const { page } = await browser.open(room.origin);
    await row(page, turns[0]).hover();
    await row(page, turns[0]).getByRole("button", { name: "Reply" }).click();
    await page.getByText("Reply to Ada").waitFor();
    const sent = new Promise((resolve) => (room.onTurns = (_, body) => resolve(body)));
    await page.keyboard.type("Why?");
    await page.keyboard.press("Enter");
    assert.equal((await sent).replyToEventId, answer.eventId);
    const quote = page.getByRole("button", { name: /Ada The answer is forty-two/ });
    await quote.click();
    assert.equal(
      await page.evaluate(() => document.activeElement?.getAttribute("data-row")),
      turns[0].turnId,
    );
    assert.equal(await page.getByText("Reply to Ada").count(), 0);
  }));

test("web_01_text_that_the_agent_took_back_is_replaced", () =>
  withRoom(one(), async (room) => {
    const { page } = await browser.open(room.origin);
    const { turns } = room.author.say("x", [ADA]);
    room.author.start(turns[0]);
    room.author.delta(turns[0], 1, "Wrong beginning");
    await row(page, turns[0]).getByText("Wrong beginning").waitFor();
    room.author.delta(turns[0], 2, "", { reset: true });
    room.author.delta(turns[0], 3, "Right one");
    await row(page, turns[0]).getByText("Right one").waitFor();
    assert.equal(await row(page, turns[0]).getByText("Wrong").count(), 0);
  }));

test("web_01_a_diff_in_a_tool_is_shown_as_one", () =>
  withRoom(one(), async (room) => {
    const { turns } = room.author.say("x", [ADA]);
    room.author.start(turns[0]);
    const details = {
      title: "Edit a.rs",
      status: "completed",
      content: [{ type: "diff", path: "src/a.rs", oldText: "one\ntwo\n", newText: "one\n2\n" }],
    };
    room.author.complete(turns[0], "Done", {
      tools: [{ nativeType: "tool.completed", toolCallId: "c", details }],
    });
    const { page } = await browser.open(room.origin);
    await row(page, turns[0]).getByText("Tools 1").click();
    await row(page, turns[0]).getByText("Edit a.rs").click();
    const diff = row(page, turns[0]).getByRole("figure", { name: "Changes in src/a.rs" });
    assert.match(await diff.locator("del").innerText(), /two/);
    assert.match(await diff.locator("ins").innerText(), /2/);
  }));
