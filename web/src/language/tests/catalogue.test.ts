import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { en } from "../en";
import { failuresEn } from "../failures.en";
import { failuresZh } from "../failures.zh";
import { elapsed, formatFor } from "../format";
import { codeFor, LanguageChoice } from "../language";
import { zh } from "../zh";

const said = (words: unknown) =>
  typeof words === "function" ? (words as (...a: unknown[]) => string)(2, 3, "x", "y") : String(words);

describe("web_06 the catalogues", () => {
  test("have the same keys", () => {
    expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
    expect(Object.keys(failuresZh).sort()).toEqual(Object.keys(failuresEn).sort());
  });

  test("say something for every key", () => {
    for (const words of [...Object.values(en), ...Object.values(zh)]) expect(said(words)).not.toBe("");
  });

  test("hold no key that the page does not use", () => {
    const sources = filesIn("src")
      .filter((path) => !path.includes("/language/") && /\.tsx?$/u.test(path))
      .map((path) => readFileSync(path, "utf8"))
      .join("\n");
    const patterns = [...sources.matchAll(/words\[`([^`]+)`\]/gu)].map(
      ([, key = ""]) =>
        new RegExp(`^${key.replaceAll(".", "\\.").replace(/\$\{[^}]+\}/gu, "[a-z_]+")}$`, "u"),
    );
    const unused = Object.keys(en).filter(
      (key) => !sources.includes(`"${key}"`) && !patterns.some((pattern) => pattern.test(key)),
    );
    expect(unused).toEqual([]);
  });
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

class Memory implements Storage {
  private readonly map = new Map<string, string>();
  readonly length = 0;
  clear = () => this.map.clear();
  getItem = (key: string) => this.map.get(key) ?? null;
  key = () => null;
  removeItem = (key: string) => void this.map.delete(key);
  setItem = (key: string, value: string) => void this.map.set(key, value);
}

describe("the language", () => {
  test("follows the user, then the configuration, then the browser", () => {
    const storage = new Memory();
    const choice = new LanguageChoice(["fr-FR", "zh-Hans-CN"], storage);
    expect(choice.current.value.code).toBe("zh");
    choice.configure("en");
    expect(choice.current.value.code).toBe("en");
    choice.pick("zh");
    expect(choice.current.value.code).toBe("zh");
    expect(new LanguageChoice(["en"], storage).current.value.code).toBe("zh");
  });

  test.each([
    ["en-GB", "en"],
    ["zh-TW", "zh"],
    ["de", null],
    ["", null],
  ])("of the tag %j is %j", (tag, code) => {
    expect(codeFor(tag)).toBe(code);
  });

  test("writes times and numbers its own way", () => {
    expect([0, 42_000, 3_723_000, -5].map(elapsed)).toEqual(["0:00", "0:42", "1:02:03", "0:00"]);
    expect(formatFor("en").compact(12_400)).toBe("12.4K");
    expect(formatFor("zh").compact(12_400)).toBe("1.2万");
    expect(formatFor("en").time("no date")).toBe("no date");
  });
});
