import { expect, test } from "vitest";
import { pathTree, plainSegments } from "./path-tree";

const tree = pathTree({
  "/api/v1/turns": "turns",
  "/api/v1/turns/{id}": "turn",
  "/api/v1/turns/{id}/events": "events",
  "/api/v1/approvals/{id}": "approval",
  "/api/v1/approvals/decisions": "decisions",
  "/api/v1/openapi.json": "openapi",
  "/api/v1/guard/versions/{version}/restore": "restore",
});

const find = (path: string) => {
  const segments = plainSegments(path);
  return segments && tree(segments);
};

test.each([
  ["/api/v1/turns", "turns", {}],
  ["/api/v1/turns/01a2-b_C", "turn", { id: "01a2-b_C" }],
  ["/api/v1/turns/01a2/events", "events", { id: "01a2" }],
  ["/api/v1/approvals/decisions", "decisions", {}],
  ["/api/v1/approvals/decision", "approval", { id: "decision" }],
  ["/api/v1/openapi.json", "openapi", {}],
  ["/api/v1/guard/versions/7/restore", "restore", { version: "7" }],
  ["/api/v1/turns/constructor", "turn", { id: "constructor" }],
])("%s is found", (path, value, params) => {
  expect(find(path)).toEqual({ value, params });
});

test.each([
  "",
  "/",
  "*",
  "/api/v1",
  "/api/v1/",
  "/api/v1/turns/",
  "/api/v1//turns",
  "//api/v1/turns",
  "/api/v1/turns/a/b",
  "/api/v1/turns/..",
  "/api/v1/turns/%61",
  "/api/v1/turns/a%2Fevents",
  "/api/v1/turns/a;b",
  "/api/v1/turns/\u00e9",
  "/api/v1/Turns",
  "/api/v1/turns#x",
  "/api/v1/constructor",
  "/__proto__/v1/turns",
  "http://localhost/api/v1/turns",
  "xapi/v1/turns",
])("%j is left to who interprets it", (path) => {
  expect(find(path)).toBeNull();
});

test("one place has one parameter name", () => {
  expect(() => pathTree({ "/a/{id}": 1, "/a/{name}/b": 2 })).toThrow("/a/{name}/b");
});
