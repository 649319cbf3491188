import { expect, test } from "vitest";
import { pathInside } from "./path-inside";

test("without a folder, a path is only made plain", () => {
  expect(pathInside("a/../b", undefined)).toBe("b");
});
