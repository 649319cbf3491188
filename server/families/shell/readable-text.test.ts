import { expect, test } from "vitest";
import { readableText } from "./readable-text";

test("a terminal's text is read as its last state", () => {
  expect(readableText("10%\r50%\r100%\r\n\u001B[1mdone\u001B[0m\r\n", true)).toBe("100%\ndone\n");
  expect(readableText("a\r\nb", false)).toBe("a\r\nb");
});
