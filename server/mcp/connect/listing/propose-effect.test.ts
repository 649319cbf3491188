import { expect, test } from "vitest";
import { proposeEffect } from "./propose-effect";

const propose = (rawName: string, description = "", properties = {}, annotations = {}) =>
  proposeEffect({ rawName, description, inputSchema: { type: "object", properties }, annotations });

test.each([
  ["get_weather", "", "read", "its name says “get”"],
  ["listOpenPRs", "", "read", "its name says “list”"],
  ["create-issue", "", "write", "its name says “create”"],
  ["delete_file", "", "destroy", "its name says “delete”"],
  ["list_deleted_items", "", "read", "its name says “list”"],
  ["search_and_replace", "", "write", "its name says “replace”"],
  ["browser_click", "", "write", "its name says “click”"],
  ["unprotect", "Removes the password of a document.", "destroy", "its description begins with “removes”"],
  ["leaderboard", "Retrieves the leaderboard.", "read", "its description begins with “retrieves”"],
  ["current_time", "当前时间", "read", "its name is about time"],
  ["gadget", "A gadget.", "write", "nothing says what it does"],
] as const)("%s is proposed by its words: %s %s", (name, description, effect, because) => {
  expect(propose(name, description)).toEqual({ effect, because });
});

test("a tool that takes a program may do anything, unless it says that it only reads", () => {
  expect(propose("query", "Runs SQL.", { sql: {} })).toEqual({ effect: "destroy", because: "its parameter sql takes a program" });
  expect(propose("query", "Run a read-only SQL query.", { sql: {} })).toMatchObject({ effect: "read" });
  expect(propose("run_query", "Runs read-only SQL.", { sql: {} })).toMatchObject({ effect: "write" });
});

test("a server's word makes a proposal stricter, and never milder than the name", () => {
  expect(propose("get_it", "", {}, { destructiveHint: true })).toMatchObject({ effect: "destroy" });
  expect(propose("delete_it", "", {}, { readOnlyHint: true })).toMatchObject({ effect: "destroy" });
  expect(propose("gadget", "", {}, { readOnlyHint: true })).toMatchObject({ effect: "read" });
});
