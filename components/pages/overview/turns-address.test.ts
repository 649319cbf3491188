import { expect, test } from "vitest";
import { turnsAddress } from "./turns-address";

test("an address holds the filters that are given", () => {
  expect(turnsAddress({})).toBe("/turns");
  expect(turnsAddress({ tool: "desk__read file", outcome: "denied" })).toBe("/turns?tool=desk__read+file&outcome=denied");
});
