import { expect, test } from "vitest";
import { limitWords } from "./effect-words";

test("a limit on effects is said in words, and none where there is none", () => {
  expect([null, [], ["read"] as const, ["read", "write"] as const].map(limitWords)).toEqual([
    null,
    "may call nothing",
    "may only read",
    "may only read and write",
  ]);
});
