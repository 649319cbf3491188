import { expect, test } from "vitest";
import { noFilter, toAuditFilter } from "./search-params";

test("an empty address is an empty filter", () => {
  expect(toAuditFilter(noFilter)).toEqual({});
  expect(toAuditFilter({ ...noFilter, query: "" })).toEqual({});
});

test("an address becomes the filter of the API", () => {
  const from = new Date("2026-01-02T03:04:05.000Z");
  expect(
    toAuditFilter({ ...noFilter, event: "call", verdict: "deny", from, conversation: "01890000-0000-7000-8000-000000000000" }),
  ).toEqual({
    event: "call",
    verdict: "deny",
    from: "2026-01-02T03:04:05.000Z",
    conversationId: "01890000-0000-7000-8000-000000000000",
  });
});

test("a part that a person mistyped is left out, the others stay", () => {
  expect(toAuditFilter({ ...noFilter, conversation: "abc", tool: "x".repeat(65), actor: "Ada" })).toEqual({ actor: "Ada" });
});
