// Pictures of each main state, in both themes and both widths, for people to look at: they are
// written to tests/artifacts/pictures. The test itself only holds that there is something to see.

import assert from "node:assert/strict";
import { mkdirSync, statSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { agent } from "./double/events.mjs";
import { CODEX, streamSome, tellStory, threeAgents } from "./double/story.mjs";
import { useBrowser } from "./support/browser.mjs";
import { one, withRoom } from "./support/rooms.mjs";

const browser = useBrowser();
const FOLDER = fileURLToPath(new URL("../artifacts/pictures/", import.meta.url));
mkdirSync(FOLDER, { recursive: true });

const LOOKS = [
  { name: "light-1280", colorScheme: "light", width: 1280, height: 800 },
  { name: "dark-1280", colorScheme: "dark", width: 1280, height: 800 },
  { name: "light-390", colorScheme: "light", width: 390, height: 844, isMobile: true, hasTouch: true },
  { name: "dark-390", colorScheme: "dark", width: 390, height: 844, isMobile: true, hasTouch: true },
];

async function shown(page, state, look) {
  const path = `${FOLDER}${state}-${look}.png`;
  await page.screenshot({ path, animations: "disabled", caret: "hide" });
  assert.ok(statSync(path).size > 5_000);
}

/** Agents as they are while not all is well. */
function troubled() {
  return [
    agent("codex", "Codex", { status: "starting", tools: "pending" }),
    agent("claude", "Claude", {
      status: "failed",
      tools: "missing",
      lastError: "Claude is not signed in: run `claude login` in a terminal.",
    }),
    agent("kimi", "Kimi"),
  ];
}

for (const look of LOOKS) {
  test(`pictures of an empty room: ${look.name}`, () =>
    withRoom(one(), async (room) => {
      const { page } = await browser.open(room.origin, look);
      await page.getByText("Write the first message below").waitFor();
      await shown(page, "empty", look.name);
    }));

  test(`pictures of a working room: ${look.name}`, () =>
    withRoom(threeAgents(), async (room) => {
      const { running } = tellStory(room);
      const { page } = await browser.open(room.origin, look);
      streamSome(room, running);
      await page.getByText("once by hand").waitFor();
      await shown(page, "working", look.name);
      const log = page.getByRole("log");
      for (let n = 0; n < 20 && (await log.evaluate((each) => each.scrollTop > 0)); n += 1) {
        await log.evaluate((each) => each.scrollTo(0, 0));
        await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve))));
      }
      await shown(page, "answer", look.name);
      await page.getByText("Reasoning").first().click();
      await page.getByText("Tools 3 (1 failed)").click();
      await page.getByText("Edit host/src/broker/lane.rs").click();
      await page.locator(".diff").waitFor();
      await shown(page, "details", look.name);
      await page.getByText("Claude asked for permission").scrollIntoViewIfNeeded();
      await shown(page, "failures", look.name);
      const [answer] = [...room.author.messages.values()].filter(({ actor }) => actor.actorId === CODEX);
      await page.evaluate(() => document.querySelector("[role=log]").scrollTo(0, 0));
      const row = page.locator(`[data-row="${answer.body.turnId}"]`);
      await row.focus();
      await page.keyboard.press("r");
      await page
        .getByRole("textbox", { name: "Message" })
        .fill("And why did the test not catch it?\nI would have expected it to.");
      await shown(page, "reply", look.name);
    }));

  test(`pictures of panels: ${look.name}`, () =>
    withRoom(troubled(), async (room) => {
      tellStory(room);
      const { page } = await browser.open(room.origin, look);
      if (look.width < 700) {
        await page.getByRole("button", { name: "Agents", exact: true }).click();
        await shown(page, "agents", look.name);
      }
      await page.locator(".agent-row:visible").first().click();
      await page.getByRole("complementary", { name: "Codex" }).waitFor();
      await shown(page, "agent", look.name);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Settings" }).click();
      await shown(page, "settings", look.name);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Keys" }).click();
      await shown(page, "keys", look.name);
    }));

  test(`pictures of a lost connection, and in Chinese: ${look.name}`, () =>
    withRoom(threeAgents(), async (room) => {
      tellStory(room);
      const { page } = await browser.open("about:blank", { ...look, locale: "zh-CN", live: false });
      await page.clock.install();
      await page.goto(room.origin);
      await page.locator(".connection-live").waitFor();
      await shown(page, "chinese", look.name);
      await room.close();
      await page.locator(".connection-lost").waitFor();
      await page.clock.fastForward(12_000);
      await page.locator(".reconnect-bar code").waitFor();
      await shown(page, "lost", look.name);
    }));
}
