import { expect, test } from "vitest";
import { runTool } from "@/server/testing/run-tool";
import { docs } from "./docs";
import { listDocuments } from "./docs-library";

test("every document says on its first line what it is about", async () => {
  for (const [name, about] of await listDocuments()) expect(about, name).not.toBe("");
});

test("documents are listed and read by name", async () => {
  expect(await runTool(docs, {}, {})).toContain("glossary: ");
  expect(await runTool(docs, { path: "docs/glossary.md" }, {})).toMatch(/^# Glossary/);
  expect(await runTool(docs, { name: "operating/sandbox" }, {})).toMatch(/^# The sandbox/);
});

test.each(["../README", "/etc/passwd", "decisions/0001", "glossary.md/../../package", "__proto__"])("%s is no document", async (name) => {
  await expect(runTool(docs, { name }, {})).rejects.toThrow("The documents are adding-a-family");
});
