import { expect, test } from "vitest";
import { toTurnFilter } from "./search-params";

const nothing = { status: null, conversation: null, agent: null, tool: null, outcome: null, query: null, from: null, to: null };

test("an address becomes a filter, and parts that cannot be one are left out", () => {
  const from = new Date("2026-11-23T12:00:00Z");
  expect(toTurnFilter({ ...nothing, tool: "read_file", outcome: "denied", from, conversation: "no id", query: "" })).toEqual({
    tool: "read_file",
    outcome: "denied",
    from: "2026-11-23T12:00:00.000Z",
  });
  expect(toTurnFilter(nothing)).toEqual({});
});
