// A long timeline: what the user reads does not move, and its length costs nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { processorTime, quiet, until, useBrowser } from "./support/browser.mjs";
import { ADA, one, withRoom } from "./support/rooms.mjs";

const browser = useBrowser();

/** `turns` answered Turns: five events each. */
function fill(room, turns) {
  for (let n = 0; n < turns; n += 1) {
    room.author.pass(60_000);
    const said = room.author.say(`Question ${n}`, [ADA]);
    room.author.start(said.turns[0]);
    room.author.complete(
      said.turns[0],
      n % 7 === 0 ? `Answer ${n}\n\n${"- a line of it\n".repeat(9)}` : `Answer ${n}`,
    );
  }
}

const scroller = (page) => page.getByRole("log");

/** Where a row's upper edge is on the screen; null when it is not drawn. */
const topOf = (page, text) =>
  page.evaluate((wanted) => {
    const row = [...document.querySelectorAll("[data-row]")].find((each) => each.innerText.includes(wanted));
    return row ? row.getBoundingClientRect().top : null;
  }, text);

const atEnd = (page) =>
  scroller(page).evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop < 2);

/** Turns the wheel, and lets the page draw after each turn. */
async function wheel(page, deltaY, times) {
  await scroller(page).hover();
  for (let n = 0; n < times; n += 1) {
    await page.mouse.wheel(0, deltaY);
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  }
}

test("web_05_opens_at_its_end_and_follows_what_comes", () =>
  withRoom(one(), async (room) => {
    fill(room, 200);
    const { page } = await browser.open(room.origin);
    await page.getByText("Answer 199", { exact: true }).waitFor();
    assert.ok(await atEnd(page));
    const { turns } = room.author.say("One more", [ADA]);
    room.author.start(turns[0]);
    for (let n = 1; n <= 60; n += 1) room.author.delta(turns[0], n, `line ${n}\n\n`);
    await page.getByText("line 60", { exact: true }).waitFor();
    assert.ok(await atEnd(page));
  }));

test("web_05_stays_where_the_user_reads_while_an_answer_streams_below", () =>
  withRoom(one(), async (room) => {
    fill(room, 60);
    const { page } = await browser.open(room.origin);
    await page.getByText("Answer 59", { exact: true }).waitFor();
    const { turns } = room.author.say("More", [ADA]);
    room.author.start(turns[0]);
    await wheel(page, -400, 3);
    const watched = await page.evaluate(() => {
      const edge = document.querySelector("[role=log]").getBoundingClientRect().top;
      return [...document.querySelectorAll(".row-message")]
        .find((row) => row.getBoundingClientRect().top > edge)
        .innerText.split("\n")
        .find((line) => line.startsWith("Question"));
    });
    const before = await topOf(page, watched);
    for (let n = 1; n <= 40; n += 1) room.author.delta(turns[0], n, `line ${n}\n\n`);
    room.author.complete(turns[0], "Done");
    room.author.say("And another", [ADA]);
    await page.getByRole("button", { name: "2 new" }).waitFor();
    assert.ok(Math.abs((await topOf(page, watched)) - before) < 1);
    await page.getByRole("button", { name: "2 new" }).click();
    await until(page, () => document.querySelector(".to-end") === null);
    assert.ok(await atEnd(page));
  }));

test("web_05_older_pages_come_in_above_without_a_jump", () =>
  withRoom(one(), async (room) => {
    fill(room, 400);
    const { page, trouble } = await browser.open(room.origin);
    await page.getByText("Answer 399", { exact: true }).waitFor();
    const moved = await page.evaluate(async () => {
      const STEP = 150;
      const log = document.querySelector("[role=log]");
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const tops = () =>
        new Map(
          [...document.querySelectorAll("[data-row]")].map((row) => [
            row.dataset.row,
            row.getBoundingClientRect().top,
          ]),
        );
      let worst = 0;
      for (let n = 0; n < 150 && log.scrollTop >= STEP; n += 1) {
        const before = tops();
        log.scrollTop -= STEP;
        await frame();
        await frame();
        for (const [id, top] of tops()) {
          const old = before.get(id);
          if (old > 0 && old < 600) worst = Math.max(worst, Math.abs(top - old - STEP));
        }
      }
      return worst;
    });
    assert.ok(moved < 2, `something moved by ${moved} px more than the wheel`);
    assert.ok(room.calls.filter((call) => call === "GET /api/history").length > 1);
    quiet(trouble);
  }));

test("web_05_the_beginning_can_be_reached_and_every_row_is_there", () =>
  withRoom(one(), async (room) => {
    fill(room, 300);
    const { page } = await browser.open(room.origin);
    await page.getByText("Answer 299", { exact: true }).waitFor();
    for (let n = 0; n < 40 && (await page.getByText("The room begins here.").count()) === 0; n += 1) {
      await scroller(page).evaluate((log) => log.scrollTo(0, 0));
      await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve))));
    }
    await scroller(page).evaluate((log) => log.scrollTo(0, 0));
    await page.getByText("Question 0", { exact: true }).waitFor();
    const drawn = await page.locator("[data-row]").count();
    assert.ok(drawn < 80, `${drawn} rows are drawn at once`);
  }));

test("web_05_100000_events_open_as_fast_as_100_and_scroll_as_lightly", async (t) => {
  const measured = async (turns) => {
    const found = { opening: Infinity, frame: Infinity };
    await withRoom(one(), async (room) => {
      fill(room, turns);
      for (let n = 0; n < 3; n += 1) {
        const { page, context } = await browser.open("about:blank", { live: false });
        const opening = await processorTime(page, async () => {
          await page.goto(room.origin);
          await page.getByText(`Answer ${turns - 1}`, { exact: true }).waitFor();
        });
        found.opening = Math.min(found.opening, opening);
        const frames = 200;
        const scrolling = await processorTime(page, () => scrollUp(page, frames));
        found.frame = Math.min(found.frame, scrolling / frames);
        await context.close();
      }
    });
    return found;
  };
  const few = await measured(20);
  const many = await measured(20_000);
  t.diagnostic(
    `opening: ${few.opening} and ${many.opening} ms of processor; a frame of scrolling: ${many.frame} ms`,
  );
  assert.ok(many.opening < few.opening * 1.5 + 50);
  assert.ok(many.frame < 12, "a frame has 16 ms");
});

/** Scrolls up, loading pages on the way, one step a frame. */
function scrollUp(page, frames) {
  return page.evaluate(async (count) => {
    const log = document.querySelector("[role=log]");
    for (let n = 0; n < count; n += 1) {
      log.scrollTop -= 120;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }, frames);
}

test("web_05_1000_deltas_a_second_leave_time_to_write", (t) =>
  withRoom(one(), async (room) => {
    fill(room, 30);
    const { turns } = room.author.say("Stream", [ADA]);
    room.author.start(turns[0]);
    const { page } = await browser.open(room.origin);
    const composer = page.getByRole("textbox", { name: "Message" });
    await composer.focus();
    const SECONDS = 4;
    let n = 0;
    const taken = await processorTime(page, async () => {
      for (const end = Date.now() + SECONDS * 1000; Date.now() < end;) {
        for (let k = 0; k < 20; k += 1) {
          n += 1;
          const text = n % 40 === 0 ? "\n\n" : n % 9 === 0 ? "**word** " : "a `word` ";
          room.author.delta(turns[0], n, text);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
    t.diagnostic(`${n} deltas in ${SECONDS} s took ${taken} ms of processor`);
    assert.ok(taken < SECONDS * 500, "more than half of the time is the user's");
    await page.keyboard.type("still here");
    assert.equal(await composer.inputValue(), "still here");
    room.author.complete(turns[0], "The end");
    await page.getByText("The end", { exact: true }).waitFor();
  }));
