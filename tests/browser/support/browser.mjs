// One real browser for a file of tests: opens pages, and fails a test whose page said something
// wrong on its console.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts the browser before the file's tests and ends it after them. */
export function useBrowser() {
  const held = { browser: null };
  before(async () => {
    held.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
      args: FLAGS,
    });
  });
  after(() => held.browser?.close());
  return {
    /** Opens a room, connected, in a context of its own. `trouble` collects what the page complained about. */
    async open(origin, { width = 1280, height = 800, live = true, ...options } = {}) {
      const context = await held.browser.newContext({
        viewport: { width, height },
        locale: "en-GB",
        ...options,
      });
      const page = await context.newPage();
      const trouble = [];
      page.on("pageerror", (error) => trouble.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error" && !/Failed to load resource|net::ERR/.test(message.text()))
          trouble.push(message.text());
      });
      page.setDefaultTimeout(10_000);
      await page.goto(origin);
      if (live) await page.locator(".connection-live").waitFor();
      return { page, context, trouble };
    },
  };
}

/** Waits until `check` holds in the page, which is asked every frame. */
export async function until(page, check, argument) {
  await page.waitForFunction(check, argument, { polling: "raf" });
}

export function quiet(trouble) {
  assert.deepEqual(trouble, []);
}

/**
 * The processor time that the page's main thread takes for `work()`, in milliseconds. Unlike the time
 * on the clock it does not depend on what else the machine does.
 */
export async function processorTime(page, work) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const taken = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
  };
  const before = await taken();
  await work();
  return (await taken()) - before;
}
