import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { builtinTools } from "@/server/testing/builtin-tools";

const one: JsonObject = { path: "x/../.env" };
/** Arguments of every tool that changes or shows files; the guard must be told of `.env`. */
const calls: Record<string, JsonObject> = {
  checkpoints: { ...one, action: "restore" },
  detect_file_type: one,
  edit_file: { ...one, oldText: "a", newText: "b" },
  glob: { ...one, pattern: "*" },
  json_read: one,
  json_write: { ...one, value: 1 },
  multi_edit: { ...one, edits: [{ oldText: "a", newText: "b" }] },
  notebook_edit: { ...one, cell: 0, source: "x" },
  notebook_read: one,
  patch: { patch: "*** Delete File: a\n*** Update File: b\n*** Move to: x/../.env\n-a\n+b" },
  read_file: one,
  search_files: { ...one, query: "x" },
  send_file: one,
  tree: one,
  write_file: { ...one, content: "" },
};

test.each(Object.entries(calls))("%s shows rules and guard the path that it touches, in its shortest spelling", (name, args) => {
  const tool = builtinTools.find((other) => other.name === name);
  const parsed = tool?.parse(args);
  if (!parsed?.ok) throw new Error(parsed?.message ?? `There is no ${name}`);
  if (Object.hasOwn(args, "path")) expect(parsed.value.path).toBe(".env");
  expect(tool?.effects?.(parsed.value)).toContainEqual(expect.objectContaining({ path: ".env" }));
});

test("no tool with files is missing above", () => {
  const names = builtinTools.filter(({ family, needs }) => family === "files" && needs.includes("files")).map(({ name }) => name);
  expect(Object.keys(calls)).toEqual(names.sort());
});
