import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import iconv from "iconv-lite";
import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { runTool } from "@/server/testing/run-tool";
import { temporaryFolder } from "@/server/testing/tool-context";
import type { AnyTool } from "@/server/tools/define-tool";
import { editFile } from "./edit-file";
import { multiEdit } from "./multi-edit";
import { patch } from "./patch/patch";
import { readFile } from "./read-file";
import { writeFile } from "./write-file";

const german = "Name;Straße\nMüller;Hauptstraße 5\n";

function workspace(files: Record<string, Uint8Array>) {
  const root = temporaryFolder();
  for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(root, name), bytes);
  const given = { files: workspaceFiles(root), earlier_reads: { newestResult: async () => null } };
  return {
    run: async (tool: AnyTool, args: JsonObject) => String(await runTool(tool, args, given)),
    bytes: (name: string) => readFileSync(path.join(root, name)),
  };
}

test.each([
  ["windows-1252", german, "Its encoding is guessed: windows-1252; encoding sets another."],
  ["shift_jis", "名前,都市\n山田太郎,東京\n", "guessed: shift_jis"],
  ["utf-16le", "\uFEFFcity\nZürich\n", "Its encoding is utf-16le."],
])("read_file shows a file in %s, and says so", async (name, text, says) => {
  const { run } = workspace({ "a.csv": iconv.encode(text, name) });
  const [first, ...lines] = (await run(readFile, { path: "a.csv" })).split("\n");
  expect(first).toContain(says);
  expect(lines.join("\n")).toBe(
    text
      .replace("\uFEFF", "")
      .replaceAll(/^(?=.)/gm, "#")
      .replace("#", "1\t")
      .replace("#", "2\t"),
  );
});

test("read_file takes the encoding that a call names, and finds one behind much plain text", async () => {
  const { run } = workspace({
    "a.txt": iconv.encode("Łódź", "iso-8859-2"),
    "b.txt": Buffer.concat([Buffer.alloc(70_000, "plain\n"), iconv.encode(german, "windows-1252")]),
  });
  expect(await run(readFile, { path: "a.txt", encoding: "ISO-8859-2" })).toBe(
    "a.txt: lines 1 to 1 of 1. Its encoding is iso-8859-2.\n1\tŁódź",
  );
  await expect(run(readFile, { path: "a.txt", encoding: "martian" })).rejects.toThrow("encoding: martian is not known");
  expect(await run(readFile, { path: "b.txt", startLine: -2 })).toContain("Müller;Hauptstraße 5");
});

test("read_file shows the last lines", async () => {
  const { run } = workspace({ "a.log": Buffer.from("1\n2\n3\n4"), "wide.log": iconv.encode("\uFEFFa\nb\nc\n", "utf-16le") });
  expect(await run(readFile, { path: "a.log", startLine: -2 })).toBe("a.log: lines 3 to 4 of 4.\n3\t3\n4\t4");
  expect(await run(readFile, { path: "a.log", startLine: -100 })).toContain("lines 1 to 4 of 4.");
  expect(await run(readFile, { path: "wide.log", startLine: -1 })).toContain("3\tc\n");
});

test.each(["windows-1252", "utf-16le", "gb18030"])("edits keep the encoding of a file in %s", async (name) => {
  const text = name === "gb18030" ? "城市;北京\n姓名;王小明\n" : name === "utf-16le" ? `\uFEFF${german}` : german;
  const [from, to] = name === "gb18030" ? ["北京", "上海"] : ["Müller", "Größe"];
  const { run, bytes } = workspace({
    "a.csv": iconv.encode(text, name),
    "b.csv": iconv.encode(text, name),
    "c.csv": iconv.encode(text, name),
    "d.csv": iconv.encode(text, name),
  });
  const wanted = iconv.encode(text.replace(from, to), name);
  expect(await run(editFile, { path: "a.csv", oldText: from, newText: to })).toContain(`It stays ${name}.`);
  expect(bytes("a.csv")).toEqual(wanted);
  await run(multiEdit, { path: "b.csv", edits: [{ oldText: from, newText: to }] });
  expect(bytes("b.csv")).toEqual(wanted);
  await run(patch, { path: "c.csv", oldText: from, newText: to });
  expect(bytes("c.csv")).toEqual(wanted);
  expect(await run(writeFile, { path: "d.csv", content: to, mode: "append" })).toContain(`It stays ${name}.`);
  expect(bytes("d.csv")).toEqual(iconv.encode(text + to, name));
});

test("a character that the file's encoding does not have is refused, and nothing is written", async () => {
  const before = iconv.encode(german, "windows-1252");
  const { run, bytes } = workspace({ "a.csv": before });
  const refused = "a.csv is windows-1252, which has no 北. Write other characters, or convert the file to UTF-8 first.";
  await expect(run(editFile, { path: "a.csv", oldText: "Müller", newText: "北" })).rejects.toThrow(refused);
  await expect(run(writeFile, { path: "a.csv", content: "北", mode: "append" })).rejects.toThrow(refused);
  expect(bytes("a.csv")).toEqual(before);
});

test("broken bytes of a UTF-8 file stay as they are", async () => {
  const before = Buffer.concat([Buffer.from("äöü ein\n"), Buffer.from([0xff, 0x0a])]);
  const { run, bytes } = workspace({ "a.txt": before });
  await run(editFile, { path: "a.txt", oldText: "ein", newText: "zwei" });
  expect(bytes("a.txt")).toEqual(Buffer.concat([Buffer.from("äöü zwei\n"), Buffer.from([0xff, 0x0a])]));
});
