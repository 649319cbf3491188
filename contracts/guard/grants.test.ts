import { expect, test } from "vitest";
import { GrantDraft, Remember } from "./grants";

test.each(["/a~2", "/a~", "/~/b", ""])("a pattern for the argument %j is refused, as in a rule", (parameter) => {
  const match = { kind: "pattern" as const, parameter, pattern: "x" };
  expect(GrantDraft.safeParse({ scope: "workspace", tool: "look", match }).success).toBe(false);
  expect(Remember.safeParse({ scope: "workspace", match: { parameter, pattern: "x" } }).success).toBe(false);
});

test.each(["path", "/items/0/path", "/headers/*", "/a~0b~1c", null])("a pattern may be for the argument %j", (parameter) => {
  const match = { kind: "pattern" as const, parameter, pattern: "x" };
  expect(GrantDraft.safeParse({ scope: "workspace", tool: "look", match }).success).toBe(true);
});
