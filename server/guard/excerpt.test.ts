import { describe, expect, test } from "vitest";
import { textHints } from "./call/text-hints";
import { excerpt, visible } from "./excerpt";

describe("an excerpt of what a model sent", () => {
  test("is the text, where that is short", () => {
    expect(excerpt("ls -la")).toBe("ls -la");
    expect(excerpt("")).toBe("");
    expect(excerpt("x".repeat(80))).toBe("x".repeat(80));
  });

  test("is cut after 80 characters, and says so", () => {
    expect(excerpt("x".repeat(81))).toBe(`${"x".repeat(80)}…`);
    expect(excerpt("ab ".repeat(1_000))).toBe(`${"ab ".repeat(27).slice(0, 80)}…`);
  });

  test("does not cut a character in two", () => {
    expect(excerpt(`${"x".repeat(79)}😀`)).toBe(`${"x".repeat(79)}\uFFFD…`);
  });

  test("stands on one line, and shows what is invisible", () => {
    expect(excerpt("a\nb\tc\u200bd\u0007e\u2028f\u{e0041}")).toBe("a⏎b c\\u{200b}d\\u{7}e\\u{2028}f\\u{e0041}");
    expect(visible("a\ud800b")).toBe("a\uFFFDb");
  });

  test("of a text that was looked at is the same", () => {
    for (const text of [
      "",
      "ls -la",
      "a\nb",
      "a\u200bb",
      "password=hunter22",
      "x".repeat(80),
      "x".repeat(81),
      "-----BEGIN PRIVATE KEY-----",
    ]) {
      expect(excerpt(text, textHints(text))).toBe(excerpt(text));
    }
  });

  const secret = `ghp_${"a1B2".repeat(9)}`;
  test("masks secrets", () => {
    expect(excerpt(`curl -u me:${secret} x`)).not.toContain(secret.slice(0, 12));
  });

  test("masks a secret that stands where the text is cut, by looking at it whole", () => {
    // Masking shortens the first words, so text behind the cut would become visible.
    const masked = `${secret} `.repeat(7);
    for (const spaces of [0, 10, 20, 30]) {
      const shown = excerpt(`${masked}${" ".repeat(spaces)}${secret} and so on ${"x ".repeat(200)}`);
      expect(shown).not.toMatch(/ghp_a1/);
      expect(shown.endsWith("…")).toBe(true);
    }
  });

  test("leaves out a word that is too long to be looked at whole", () => {
    expect(excerpt(`start ${"y".repeat(10_000)}`)).toBe("start …");
    expect(excerpt("y".repeat(10_000))).toBe("…");
    expect(excerpt(`${secret} ${"y".repeat(10_000)}`)).toMatch(/^gh\*\*\*B2 …$/);
    expect(excerpt(`${secret} ${secret} ${"y".repeat(1_000)} z`).length).toBeLessThanOrEqual(81);
  });

  test("says that there is more, also when what is shown got short by masking", () => {
    expect(excerpt(`${`${secret} `.repeat(7)}`.trimEnd())).not.toMatch(/…$/);
    expect(excerpt(`${`${secret} `.repeat(9)}end`)).toMatch(/…$/);
  });
});
