import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { HUES, hueOf, lettersOf } from "../hue";

describe("a badge", () => {
  test.each([
    ["Codex", "CO"],
    ["Ada Lovelace", "AL"],
    ["claude-code", "CC"],
    ["小明", "小明"],
    ["😀x", "😀X"],
    ["  ", "?"],
  ])("of %j has the letters %j", (name, letters) => {
    expect(lettersOf(name)).toBe(letters);
  });

  test("has a hue that the id alone decides, and another one for each of the known CLIs", () => {
    const hues = ["codex", "claude", "kimi", "hermes", "grok"].map((id) => hueOf(`agent:${id}`));
    expect(new Set(hues).size).toBe(5);
    expect(Math.max(...hues)).toBeLessThan(HUES);
  });
});

/** The two values of a colour token. */
function tokens(): Map<string, readonly [string, string]> {
  const css = readFileSync("src/look/tokens.css", "utf8");
  const found = css.matchAll(/--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/gu);
  return new Map([...found].map(([, name = "", light = "", dark = ""]) => [name, [light, dark]]));
}

function luminance(hex: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** `share` of one colour on another. */
function mixed(top: string, under: string, share: number): string {
  const part = (at: number) =>
    Math.round(
      Number.parseInt(top.slice(at, at + 2), 16) * share +
        Number.parseInt(under.slice(at, at + 2), 16) * (1 - share),
    );
  return `#${[1, 3, 5].map((at) => part(at).toString(16).padStart(2, "0")).join("")}`;
}

describe("web_06 colours", () => {
  const all = tokens();
  const pair = (name: string) => all.get(name) ?? (["#000000", "#000000"] as const);
  const grounds = ["paper", "pane", "raised"];
  const inks = ["ink", "ink-2", "ink-3", "accent", "bad", "good", "warn"];

  test.each(inks.flatMap((ink) => grounds.map((ground) => [ink, ground] as const)))(
    "%s on %s has AA contrast in both schemes",
    (ink, ground) => {
      for (const scheme of [0, 1] as const)
        expect(contrast(pair(ink)[scheme], pair(ground)[scheme])).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each(Array.from({ length: HUES }, (_, n) => `hue-${n}`))(
    "%s has AA contrast on its own badge and on the paper",
    (hue) => {
      for (const scheme of [0, 1] as const) {
        const [colour, paper] = [pair(hue)[scheme], pair("paper")[scheme]];
        expect(contrast(colour, paper)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(colour, mixed(colour, paper, 0.14))).toBeGreaterThanOrEqual(4.5);
      }
    },
  );
});
