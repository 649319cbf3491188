import { expect, test } from "vitest";
import { sameOriginPath } from "./same-origin-path";

test.each(["/", "/tools", "/tools?query=a%20b#top", "/audit?from=2026-01-01T00:00:00Z"])("%s is a place to go back to", (path) => {
  expect(sameOriginPath(path)).toBe(path);
});

test.each([
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/..//evil.example",
  "javascript:alert(1)",
  "evil",
  "",
  `/${"a".repeat(16_000)}`,
  undefined,
  ["/tools"],
])("%j leads to the start page", (given) => {
  expect(sameOriginPath(given)).toBe("/");
});
