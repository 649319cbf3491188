import { describe, expect, test } from "vitest";
import { buildRequest, mcpTool, noDetectorSettings } from "@/server/testing/guard/guarded-calls";
import { analyzeCall } from "../call/analyzed-call";
import { textHidden } from "./text-hidden";

const find = (...texts: string[]) => textHidden.find(analyzeCall(buildRequest(mcpTool, { texts })), noDetectorSettings);

describe("hidden characters", () => {
  test.each([
    ["a\u202Eb", "U+202E"],
    ["a\u2066b", "U+2066"],
    ["a\u200Bb", "U+200B"],
    ["a\u2060b", "U+2060"],
    ["a\u180Eb", "U+180E"],
    ["a\uFEFFb", "U+FEFF"],
    ["a\u{E0041}b", "U+E0041"],
    ["a\u001B[8mb", "U+001B"],
    ["a\u0007b", "U+0007"],
    ["a\u009Bb", "U+009B"],
    ["a\uFE01\uFE02\uFE03b", "U+FE01"],
    ["pay\u200Cpal", "U+200C"],
    ["pay\u200Dpal", "U+200D"],
    ["pay\u00ADpal", "U+00AD"],
    ["a\uD800b", "U+D800"],
  ])("%j has %s, and is told by its number", (text, code) => {
    expect(find(text)).toMatchObject([{ message: expect.stringContaining(`An argument has the hidden character ${code}: \``) }]);
  });

  test.each([
    "plain words,\ttabs\r\nand lines",
    "größe 日本語 Ελληνικά",
    "\uFEFFa file that begins with a mark of its byte order",
    "👩‍👩‍👧 ❤️ 🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    "می\u200Cخواهم",
    "क्\u200Dष",
  ])("%j is what people write", (text) => expect(find(text)).toEqual([]));

  test("each text that has one is told, with what stands around it", () => {
    const found = find("fine", `${"x".repeat(50)}\u202E${"y".repeat(60)}`, "a\u200Bb");
    expect(found.map(({ text }) => text)).toEqual([`${"x".repeat(20)}\u202E${"y".repeat(39)}`, "a\u200Bb"]);
    expect(found[1]?.message).toBe("An argument has the hidden character U+200B: `a\\u{200b}b`.");
  });
});
