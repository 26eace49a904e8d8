// The page and the built program together: what a user does, with agents that do what they are told.

import assert from "node:assert/strict";
import { test } from "node:test";
import { quiet, until, useBrowser } from "./support/browser.mjs";
import { Program, withProgram } from "./support/program.mjs";

const browser = useBrowser();

const composer = (page) => page.getByRole("textbox", { name: "Message" });
const turn = (page, nth) => page.locator(".row-turn").nth(nth);

async function send(page, text) {
  await composer(page).fill(text);
  await composer(page).press("Enter");
  await until(page, () => document.getElementById("composer-text").value === "");
}

test("web_01_the_demo_room_answers_in_the_browser", async () => {
  const program = await Program.demo();
  try {
    const { page, trouble } = await browser.open(program.origin);
    await page.getByText("Choose who to write to below").waitFor();
    await page.getByRole("button", { name: "@all" }).click();
    await send(page, "Hello, **both** of you");
    await until(page, () => document.querySelectorAll(".phase-running").length === 2);
    await until(page, () => document.querySelectorAll(".phase-completed").length === 2);
    assert.equal(await page.locator(".row-turn .answer").count(), 2);
    quiet(trouble);
  } finally {
    await program.end();
  }
});

test("web_01_an_answer_with_reasoning_and_tools_is_the_same_live_and_after_a_reload", () =>
  withProgram({ ada: "Ada" }, async (program) => {
    const { page, trouble } = await browser.open(program.origin);
    await send(page, '{{reason text="Let me think."}}{{tool name=shell ms=50}}{{say text="All **done**."}}');
    await turn(page, 0)
      .getByText(/^done · /)
      .waitFor();
    await turn(page, 0).locator(".answer strong").getByText("done").waitFor();
    await turn(page, 0).getByText("Reasoning").click();
    await turn(page, 0).getByText("Let me think.").waitFor();
    await turn(page, 0).getByText("Tools 1").click();
    await turn(page, 0).locator(".tool-title").first().waitFor();
    const shown = await turn(page, 0).innerText();
    await page.reload();
    await turn(page, 0).getByText("Reasoning").click();
    await turn(page, 0).getByText("Let me think.").waitFor();
    await turn(page, 0).getByText("Tools 1").click();
    await turn(page, 0).locator(".tool-title").first().waitFor();
    assert.equal(await turn(page, 0).innerText(), shown);
    quiet(trouble);
  }));

test("web_01_everyone_answers_at_once_and_one_that_fails_touches_nobody", () =>
  withProgram({ ada: "Ada", ben: "Ben", cleo: "Cleo" }, async (program) => {
    const { page } = await browser.open(program.origin);
    await page.getByRole("button", { name: "@all" }).click();
    await send(page, "Hello");
    await until(page, () => document.querySelectorAll(".phase-completed").length === 3);
    assert.equal(await page.getByText("echo: Hello").count(), 3);
    const chip = (name) => page.getByRole("group", { name: "To" }).getByRole("button", { name });
    await chip("Ben").click();
    await send(page, '{{fail message="the model is overloaded"}}');
    await turn(page, 3).getByText("failed", { exact: true }).waitFor();
    await turn(page, 3)
      .getByText(/the model is overloaded/)
      .waitFor();
  }));

test("web_02_stop_queue_and_interactions_are_told_in_words", () =>
  withProgram({ ada: "Ada" }, async (program) => {
    const { page } = await browser.open(program.origin);
    await send(page, '{{say text="Beginning"}}{{hang}}');
    await turn(page, 0).getByText("Beginning").waitFor();
    await send(page, "Next, please");
    await turn(page, 1).getByText("queued").waitFor();
    await page.getByRole("navigation", { name: "Agents" }).getByText("1 queued").waitFor();
    await turn(page, 0).getByRole("button", { name: "Stop Ada" }).click();
    await turn(page, 0).getByText("stopped", { exact: true }).waitFor();
    await turn(page, 0).getByText("Beginning").waitFor();
    await turn(page, 1).getByText("echo: Next, please").waitFor();
    await send(page, '{{permission title="rm -rf"}}');
    await turn(page, 2).getByText("failed", { exact: true }).waitFor();
    await turn(page, 2).getByText("UNEXPECTED_NATIVE_INTERACTION").waitFor();
    assert.equal(await page.getByText("rm -rf").count(), 1, "only in what the user wrote");
  }));

test("web_02_an_agent_can_be_restarted_from_its_panel", () =>
  withProgram({ ada: "Ada" }, async (program) => {
    const { page } = await browser.open(program.origin);
    await page.locator(".agent-row").click();
    const panel = page.getByRole("complementary", { name: "Ada" });
    await panel.getByText(/^codex · /).waitFor();
    const before = (await program.bootstrap()).agents[0].instanceId;
    await panel.getByRole("button", { name: "Restart" }).click();
    await panel.getByRole("button", { name: "Restart", exact: true }).and(page.locator(":enabled")).waitFor();
    await page.locator(".agent-row").getByText("ready").waitFor();
    assert.notEqual((await program.bootstrap()).agents[0].instanceId, before);
    await page.keyboard.press("Escape");
    await send(page, "Still there?");
    await turn(page, 0).getByText("echo: Still there?").waitFor();
  }));

test("web_07_a_program_killed_in_mid_turn_comes_back_and_the_page_heals", () =>
  withProgram({ ada: "Ada" }, async (program) => {
    const { page } = await browser.open(program.origin);
    await send(page, "First");
    await turn(page, 0).getByText("echo: First").waitFor();
    await send(page, '{{say text="Half of it"}}{{hang}}');
    await turn(page, 1).getByText("Half of it").waitFor();
    await program.kill();
    await page.getByText("not connected").waitFor();
    await composer(page).fill("Written meanwhile");
    await composer(page).press("Enter");
    await page.getByText("GroupX did not answer.").waitFor();
    await program.start();
    await page.locator(".connection-live").waitFor();
    await turn(page, 1).getByText("interrupted", { exact: true }).waitFor();
    assert.equal(await turn(page, 0).getByText("echo: First").count(), 1);
    await composer(page).press("Enter");
    await turn(page, 2).getByText("echo: Written meanwhile").waitFor();
    const events = (await program.bootstrap()).recentEvents.filter(
      ({ type, actor }) => type === "message.created" && actor.kind === "user",
    );
    assert.equal(events.length, 3);
  }));

test("web_05_a_flood_of_deltas_from_a_real_agent_arrives_whole", () =>
  withProgram({ ada: "Ada" }, async (program) => {
    const { page } = await browser.open(program.origin);
    await send(page, "{{deltas n=3000 size=8 every=1}}");
    await turn(page, 0)
      .getByText(/^working/)
      .waitFor();
    await page.keyboard.type("still writing");
    assert.equal(await composer(page).inputValue(), "still writing");
    await turn(page, 0).getByText(/^done/).waitFor({ timeout: 30_000 });
    const { recentEvents } = await program.bootstrap();
    const answer = recentEvents.find(({ type, body }) => type === "message.created" && body.turnId).body
      .content;
    assert.equal(answer.length, 24_000);
    const shown = await turn(page, 0).locator(".answer").textContent();
    assert.equal(shown.replaceAll(/\s/g, ""), answer.replaceAll(/\s/g, ""));
  }));
