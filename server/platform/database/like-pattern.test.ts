import { expect, test } from "vitest";
import { containsPattern, escapeLike } from "./like-pattern";

test("a searched text matches itself only, whatever LIKE means by its characters", () => {
  expect(escapeLike("100%_\\")).toBe("100\\%\\_\\\\");
  expect(containsPattern("a_b")).toBe("%a\\_b%");
});
