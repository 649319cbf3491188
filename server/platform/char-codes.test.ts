import { describe, expect, test } from "vitest";
import { toCharCodes, whole } from "./char-codes";

const codesByHand = (text: string) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
const listed = (text: string) => [...toCharCodes(text).subarray(0, text.length)];

describe("the codes of a text", () => {
  test.each([0, 1, 63, 64, 65, 4_095, 4_096, 4_097, 70_000])("of %i characters are those of its characters", (length) => {
    for (const piece of ["a", "é", "😀", "\ud800", "\0a\uffff"]) {
      const text = piece.repeat(length).slice(0, length);
      expect(listed(text)).toEqual(codesByHand(text));
    }
  });

  test("are those of a piece of a text, and of one that is made of others", () => {
    const whole = Array.from({ length: 500 }, (_, at) => String.fromCharCode(32 + (at % 90))).join("");
    expect(listed(whole.slice(37, 300))).toEqual(codesByHand(whole.slice(37, 300)));
    expect(listed(`${whole}é${whole}`)).toEqual(codesByHand(`${whole}é${whole}`));
  });

  test("of a text of more than a million characters are not kept", () => {
    const long = toCharCodes("é".repeat(1_048_577));
    expect(long).toHaveLength(1_048_577);
    expect(long[1_048_576]).toBe(0xe9);
    expect(listed("abc")).toEqual([97, 98, 99]);
    expect(toCharCodes("abc").length).toBeLessThanOrEqual(1_048_576);
  });
});

test.each(["", "ls -la", "caf\u00e9", "\u{1F600}", "a\ud800b", "\udc00", "\0\uffff", "x".repeat(70_000)])(
  "a text is the same as a whole",
  (text) => {
    expect(whole(text)).toBe(text);
    expect(whole(`a${text}b`.slice(1, -1))).toBe(text);
  },
);
