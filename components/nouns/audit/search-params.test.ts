import { expect, test } from "vitest";
import { toAuditFilter } from "./search-params";

const empty = {
  query: null,
  event: null,
  tool: null,
  agent: null,
  source: null,
  verdict: null,
  actor: null,
  conversation: null,
  from: null,
  to: null,
};

test("an empty address is an empty filter", () => {
  expect(toAuditFilter(empty)).toEqual({});
  expect(toAuditFilter({ ...empty, query: "" })).toEqual({});
});

test("an address becomes the filter of the API", () => {
  const from = new Date("2026-01-02T03:04:05.000Z");
  expect(toAuditFilter({ ...empty, event: "call", verdict: "deny", from, conversation: "01890000-0000-7000-8000-000000000000" })).toEqual({
    event: "call",
    verdict: "deny",
    from: "2026-01-02T03:04:05.000Z",
    conversationId: "01890000-0000-7000-8000-000000000000",
  });
});

test("a part that a person mistyped is left out, the others stay", () => {
  expect(toAuditFilter({ ...empty, conversation: "abc", tool: "x".repeat(65), actor: "Ada" })).toEqual({ actor: "Ada" });
});
