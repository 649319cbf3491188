import { expect, test } from "vitest";
import { countEffects } from "./count-effects";

test("effects are counted in words, without those that no tool has", () => {
  expect(countEffects(["read", "read", "destroy"])).toBe("2 read, 1 destroys");
  expect(countEffects(["write"])).toBe("1 writes");
});
