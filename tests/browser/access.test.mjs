// Keyboard only, screen readers, contrast, languages, themes, phones.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { streamSome, tellStory, threeAgents } from "./double/story.mjs";
import { quiet, until, useBrowser } from "./support/browser.mjs";
import { ADA, one, two, withRoom } from "./support/rooms.mjs";

const browser = useBrowser();
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds wrong, in a line each. */
async function complaints(page) {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.map(
      ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
    );
  });
}

/** Opens everything that is folded, also within what was folded. */
async function openFolds(page) {
  for (let depth = 0; depth < 3; depth += 1) {
    await page.evaluate(() =>
      document.querySelectorAll("[role=log] details").forEach((fold) => (fold.open = true)),
    );
    await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve))));
  }
}

const focusedRow = (page) =>
  page.evaluate(() => document.activeElement?.closest("[data-row]")?.getAttribute("data-row") ?? null);
const focusedName = (page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
  );

for (const [name, options] of [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["phone", { colorScheme: "light", width: 390, height: 844 }],
]) {
  test(`web_06_axe_finds_nothing: ${name}`, () =>
    withRoom(threeAgents(), async (room) => {
      const { running } = tellStory(room);
      const { page, trouble } = await browser.open(room.origin, options);
      streamSome(room, running);
      await page.getByText("once by hand").waitFor();
      await openFolds(page);
      assert.deepEqual(await complaints(page), []);
      for (const panel of ["Settings", "Keys"]) {
        await page.getByRole("button", { name: panel, exact: true }).click();
        await page.getByRole("complementary", { name: panel }).waitFor();
        assert.deepEqual(await complaints(page), [], panel);
        await page.keyboard.press("Escape");
      }
      if (name === "phone") await page.getByRole("button", { name: "Agents", exact: true }).click();
      await page.locator(".agent-row:visible").first().click();
      await page.getByRole("complementary", { name: "Codex" }).waitFor();
      assert.deepEqual(await complaints(page), [], "agent");
      quiet(trouble);
    }));
}

test("web_06_everything_by_keyboard: write, walk, open, reply, stop", () =>
  withRoom(two(), async (room) => {
    const done = room.author.say("First question", [ADA]).turns[0];
    room.author.start(done);
    room.author.complete(done, "First answer", {
      reasoning: "Hm.",
      tools: [{ nativeType: "tool.completed", toolCallId: "t", details: { title: "ls" } }],
    });
    const { page } = await browser.open(room.origin);
    const turns = [];
    room.onTurns = (made) => {
      turns.push(...made);
      for (const turn of made) room.author.start(turn);
    };
    // Nothing has the focus yet: one key leads to the text.
    await page.keyboard.press("i");
    assert.equal(await focusedName(page), "Message");
    await page.keyboard.type("Line one");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("line two");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("Line one").waitFor();
    await until(page, () => document.querySelectorAll(".phase-running").length === 1);
    // Out of the text, into the timeline, row by row.
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("j");
    assert.equal(await focusedRow(page), turns[0].turnId);
    await page.keyboard.press("k");
    await page.keyboard.press("k");
    assert.equal(await focusedRow(page), done.turnId);
    await page.keyboard.press("o");
    await page.getByText("Hm.").waitFor();
    await page.keyboard.press("o");
    await until(page, () => document.querySelectorAll("[role=log] details[open]").length === 0);
    await page.keyboard.press("r");
    await page.getByText("Reply to Ada").waitFor();
    assert.equal(await focusedName(page), "Message");
    // Esc asks first; the second one stops.
    await page.keyboard.press("Escape");
    await page.getByText("Esc again stops Ada").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(`[data-row="${turns[0].turnId}"]`).getByText("stopped", { exact: true }).waitFor();
  }));

test("web_06_the_question_mark_lists_the_keys_and_esc_gives_the_focus_back", () =>
  withRoom(one(), async (room) => {
    const { page } = await browser.open(room.origin);
    await page.keyboard.press("a");
    assert.match(await focusedName(page), /Ada/);
    await page.keyboard.press("?");
    const keys = page.getByRole("complementary", { name: "Keys" });
    await keys.getByText("Reply to the message").waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await keys.count(), 0);
    assert.match(await focusedName(page), /Ada/);
    await page.keyboard.press("i");
    await page.keyboard.type("what?");
    assert.equal(await keys.count(), 0);
  }));

test("web_06_on_a_phone_writing_to_an_agent_leads_from_its_sheet_to_the_text", () =>
  withRoom(two(), async (room) => {
    const { page } = await browser.open(room.origin, { width: 390, height: 844 });
    await page.getByRole("button", { name: "Agents", exact: true }).click();
    await page.locator(".agent-row:visible").nth(1).click();
    await page.getByRole("button", { name: "Write to Ben" }).click();
    await until(
      page,
      () => document.activeElement?.id === "composer-text" && document.querySelector(".drawer") === null,
    );
    assert.equal(
      await page.getByRole("textbox", { name: "Message" }).getAttribute("placeholder"),
      "Write to Ben",
    );
  }));

test("web_06_one_press_of_tab_enters_the_timeline_at_its_current_row", () =>
  withRoom(one(), async (room) => {
    for (const text of ["one", "two", "three"]) room.author.say(text, [ADA]);
    const { page } = await browser.open(room.origin);
    await page.getByText("three").waitFor();
    assert.equal(await page.locator('[data-row][tabindex="0"]').count(), 1);
    await page.locator('[data-row][tabindex="0"]').focus();
    await page.keyboard.press("ArrowUp");
    assert.equal(await page.locator('[data-row][tabindex="0"]').count(), 1);
    assert.equal(
      await focusedRow(page),
      await page.locator('[data-row][tabindex="0"]').getAttribute("data-row"),
    );
  }));

test("web_06_ends_are_announced_and_what_streams_is_not", () =>
  withRoom(one(), async (room) => {
    const { turns } = room.author.say("Go", [ADA]);
    const next = room.author.say("Go", [ADA]).turns[0];
    room.author.start(turns[0]);
    const { page } = await browser.open(room.origin);
    assert.equal(await page.getByRole("log").getAttribute("aria-live"), "off");
    room.author.delta(turns[0], 1, "streaming text");
    await page.getByText("streaming text").waitFor();
    const polite = page.locator('[aria-live="polite"]');
    const assertive = page.locator('[aria-live="assertive"]');
    assert.equal(await polite.textContent(), "");
    room.author.complete(turns[0], "streaming text");
    await until(page, () => document.querySelector('[aria-live="polite"]').textContent === "Ada finished");
    room.author.start(next);
    room.author.end(next, "failed", { errorCode: "TURN_IDLE_TIMEOUT" });
    await until(page, () =>
      document.querySelector('[aria-live="assertive"]').textContent.startsWith("Ada failed: "),
    );
    assert.equal(await assertive.count(), 1);
  }));

test("web_06_speaks_chinese_when_the_browser_or_the_user_wants_it", () =>
  withRoom(one(), async (room) => {
    const { page } = await browser.open(room.origin, { locale: "zh-CN" });
    await page.getByText("在下方写第一条消息").waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "zh");
    await page.getByRole("button", { name: "设置" }).click();
    await page.getByLabel("语言").selectOption("en");
    await page.getByText("Write the first message below").waitFor();
    await page.reload();
    await page.getByText("Write the first message below").waitFor();
  }));

test("web_06_speaks_the_language_that_the_configuration_asks_for", () =>
  withRoom(one(), async (room) => {
    const { bootstrap } = room;
    room.bootstrap = () => ({ ...bootstrap.call(room), uiLanguage: "zh" });
    const { page } = await browser.open(room.origin, { locale: "en-GB" });
    await page.getByText("在下方写第一条消息").waitFor();
  }));

test("web_06_the_theme_follows_the_system_until_the_user_picks_one", () =>
  withRoom(one(), async (room) => {
    const { page } = await browser.open(room.origin, { colorScheme: "dark" });
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await paper();
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByLabel("Theme").selectOption("light");
    assert.equal(await paper(), "rgb(255, 255, 255)");
    await page.reload();
    await page.locator(".connection-live").waitFor();
    assert.equal(await paper(), "rgb(255, 255, 255)");
    assert.notEqual(dark, "rgb(255, 255, 255)");
  }));

test("web_06_nothing_is_wider_than_a_phone", () =>
  withRoom(threeAgents(), async (room) => {
    tellStory(room);
    const { page } = await browser.open(room.origin, {
      width: 390,
      height: 844,
      hasTouch: true,
      isMobile: true,
    });
    await page.getByText("And write the changelog entry afterwards.").waitFor();
    await openFolds(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(wide, 390);
    const over = await page.evaluate(
      () =>
        [...document.querySelectorAll("[role=log] .row")].filter(
          (row) => row.scrollWidth > row.clientWidth + 1,
        ).length,
    );
    assert.equal(over, 0);
  }));
