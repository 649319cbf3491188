import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { runTool } from "@/server/testing/run-tool";
import { documents } from "./docs-library";
import { docs } from "./tools/docs";

test("every document is in the list, and the list names no other", () => {
  const files = readdirSync("docs").filter((file) => file.endsWith(".md"));
  expect([...documents.keys()]).toEqual(files.map((file) => file.slice(0, -".md".length)).sort());
});

test("documents are listed and read by name", async () => {
  expect(await runTool(docs, {}, {})).toContain("glossary: ");
  expect(await runTool(docs, { path: "docs/glossary.md" }, {})).toContain("# Glossary");
});

test.each(["../README", "/etc/passwd", "decisions/0001", "glossary.md/../../package", "__proto__"])("%s is no document", async (name) => {
  await expect(runTool(docs, { name }, {})).rejects.toThrow("The documents are adding-a-tool");
});
