// A long timeline: what the user reads does not move, and its length costs nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { quiet, until, useBrowser } from "./support/browser.mjs";
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

test("web_05_100000_events_open_as_fast_as_100_and_scroll_without_long_tasks", async () => {
  const opened = async (turns) => {
    let best = Infinity;
    let tasks = [];
    await withRoom(one(), async (room) => {
      fill(room, turns);
      for (let n = 0; n < 3; n += 1) {
        const began = performance.now();
        const { page, context } = await browser.open(room.origin);
        await page.getByText(`Answer ${turns - 1}`, { exact: true }).waitFor();
        best = Math.min(best, performance.now() - began);
        if (n === 2) tasks = await longTasks(page);
        await context.close();
      }
    });
    return { best, tasks };
  };
  const few = await opened(20);
  const many = await opened(20_000);
  assert.ok(many.best < few.best * 1.5 + 150, `100 events: ${few.best} ms, 100,000 events: ${many.best} ms`);
  // A busy machine holds up a frame now and then; the page's own work would do so again and again.
  const long = many.tasks.filter((ms) => ms > 100);
  assert.ok(long.length <= 6, `of 300 frames these took long: ${long.join(", ")} ms`);
});

/** Scrolls up through some thousand events, loading pages on the way; the tasks over 50 ms. */
function longTasks(page) {
  return page.evaluate(async () => {
    const long = [];
    const observer = new PerformanceObserver((list) =>
      list.getEntries().forEach(({ duration }) => long.push(duration)),
    );
    observer.observe({ type: "longtask" });
    const log = document.querySelector("[role=log]");
    for (let n = 0; n < 300; n += 1) {
      log.scrollTop -= 120;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    observer.disconnect();
    return long;
  });
}

/** How long the page's tasks wait for their turn over some time, in milliseconds: the 99th of a hundred. */
function waitingIn(page, ms) {
  return page.evaluate(async (lasts) => {
    const waits = [];
    const end = performance.now() + lasts;
    while (performance.now() < end) {
      const began = performance.now();
      // What the browser would do with a key: a task of its own.
      await new Promise((resolve) => setTimeout(resolve));
      waits.push(performance.now() - began);
    }
    return waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.99)];
  }, ms);
}

test("web_05_1000_deltas_a_second_leave_time_to_write", () =>
  withRoom(one(), async (room) => {
    fill(room, 30);
    const { turns } = room.author.say("Stream", [ADA]);
    room.author.start(turns[0]);
    const { page } = await browser.open(room.origin);
    const idle = await waitingIn(page, 1_000);
    let n = 0;
    const timer = setInterval(() => {
      for (let k = 0; k < 20; k += 1) {
        n += 1;
        const text = n % 40 === 0 ? "\n\n" : n % 9 === 0 ? "**word** " : "a `word` ";
        room.author.delta(turns[0], n, text);
      }
    }, 20);
    const busy = await waitingIn(page, 4_000);
    clearInterval(timer);
    // Under the tests of others even an idle page waits.
    assert.ok(busy < Math.max(50, 4 * idle), `answers after ${busy} ms, idle after ${idle} ms`);
    const composer = page.getByRole("textbox", { name: "Message" });
    await composer.focus();
    await page.keyboard.type("still here");
    assert.equal(await composer.inputValue(), "still here");
    room.author.complete(turns[0], "The end");
    await page.getByText("The end", { exact: true }).waitFor();
  }));
