import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { runTool } from "@/server/testing/run-tool";
import { temporaryFolder } from "@/server/testing/tool-context";
import { editFile } from "./edit-file";
import { replaceBytes } from "./edit-text";

function workspace(content: string | Uint8Array) {
  const root = temporaryFolder();
  const file = path.join(root, "a.txt");
  writeFileSync(file, content);
  return {
    file,
    edit: (args: JsonObject) => runTool(editFile, { path: "a.txt", ...args }, { files: workspaceFiles(root) }),
    text: () => readFileSync(file, "utf8"),
  };
}

test("the one place where a text occurs is changed", async () => {
  const { edit, text } = workspace("const a = 1;\nconst b = 2;\n");
  expect(await edit({ oldText: "b = 2", newText: "b = 3" })).toBe("Changed one place in a.txt.");
  expect(text()).toBe("const a = 1;\nconst b = 3;\n");
});

test("with replaceAll every place is changed, and a text can be taken out", async () => {
  const { edit, text } = workspace("aaaa b aa");
  expect(await edit({ old_string: "aa", new_string: "", replace_all: true })).toBe("Changed 3 places in a.txt.");
  expect(text()).toBe(" b ");
});

test("the new text is put in as it is, whatever signs it holds", async () => {
  const { edit, text } = workspace("price: X");
  await edit({ oldText: "X", newText: "$& $1 $$ \\n 😀" });
  expect(text()).toBe("price: $& $1 $$ \\n 😀");
});

test("a text that occurs several times is refused with their number, and nothing changes", async () => {
  const { edit, text } = workspace("x = 1\nx = 1\nx = 1\n");
  await expect(edit({ oldText: "x = 1", newText: "y" })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("occurs 3 times"),
  });
  expect(text()).toBe("x = 1\nx = 1\nx = 1\n");
});

describe("a text that does not occur is refused, with a hint:", () => {
  test.each([
    ["other white space", "if (a) {\n\treturn;\n}", "if (a) {\n    return;\n}", "other white space"],
    ["line numbers of read_file", "one\ntwo\n", "1\tone", "line numbers"],
    ["a masked secret", "TOKEN=abcdef123456\n", "TOKEN=ab***56", "leave that part out"],
    ["nothing like it", "one\n", "completely different", "Read the file again"],
  ])("%s", async (_what, content, oldText, hint) => {
    const { edit, text } = workspace(content);
    await expect(edit({ oldText, newText: "x" })).rejects.toMatchObject({ code: "not_found", message: expect.stringContaining(hint) });
    expect(text()).toBe(content);
  });
});

describe("a file whose lines end with CRLF keeps them:", () => {
  test.each([
    ["a text of several lines is found, sent with LF", "one\r\ntwo\r\nthree\r\n", "one\ntwo", "1\n2\n2b", "1\r\n2\r\n2b\r\nthree\r\n"],
    ["new lines in the place of a part of a line", "one\r\ntwo\r\n", "two", "2\n3", "one\r\n2\r\n3\r\n"],
    ["a text that was sent with CRLF", "one\r\ntwo\r\n", "one\r\ntwo", "1\r\n2", "1\r\n2\r\n"],
    ["in a file of both, the place decides", "a\nb\r\nc\r\n", "b\nc", "b\nB\nc", "a\nb\r\nB\r\nc\r\n"],
    ["in a file of both, LF stays LF", "a\nb\nc\r\n", "a\nb", "a\nB\nb", "a\nB\nb\nc\r\n"],
  ])("%s", async (_what, before, oldText, newText, after) => {
    const { edit, text } = workspace(before);
    await edit({ oldText, newText });
    expect(text()).toBe(after);
  });
});

test("bytes around the place stay as they are, whatever their encoding", async () => {
  const before = Buffer.concat([Buffer.from([0xff, 0xe9, 0x00]), Buffer.from("old\r\n"), Buffer.from([0x80, 0xfe])]);
  const { edit, file } = workspace(before);
  await edit({ oldText: "old", newText: "new" });
  expect(readFileSync(file)).toEqual(Buffer.concat([Buffer.from([0xff, 0xe9, 0x00]), Buffer.from("new\r\n"), Buffer.from([0x80, 0xfe])]));
});

test("an edit that changes nothing, or has no text to look for, is refused", async () => {
  const { edit, file } = workspace("same");
  const { mtimeMs } = statSync(file);
  await expect(edit({ oldText: "same", newText: "same" })).rejects.toMatchObject({ code: "invalid" });
  await expect(edit({ oldText: "", newText: "x" })).rejects.toThrow("oldText");
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
});

test("a file of more than 10 MiB, or one that is not there, is refused", async () => {
  const { edit } = workspace("x".repeat(10 * 1_048_576 + 1));
  await expect(edit({ oldText: "x", newText: "y" })).rejects.toMatchObject({ code: "too_large" });
  await expect(edit({ path: "missing", oldText: "x", newText: "y" })).rejects.toMatchObject({ code: "not_found" });
});

test("a missing file is answered with the one that was probably meant", async () => {
  const { edit } = workspace("x");
  await expect(edit({ path: "b/a.txt", oldText: "x", newText: "y" })).rejects.toThrow("Did you mean a.txt?");
});

test("a replacement is not replaced again", () => {
  const { after, count } = replaceBytes(Buffer.from("aXbX"), Buffer.from("X"), Buffer.from("XX"));
  expect([Buffer.from(after).toString(), count]).toEqual(["aXXbXX", 2]);
});
