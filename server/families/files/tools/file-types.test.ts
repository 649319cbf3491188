import "@/server/testing/builtin-tools";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { libreOffice } from "@/server/capabilities/libre-office";
import { runTool } from "@/server/testing/run-tool";
import { temporaryFolder } from "@/server/testing/tool-context";
import { detectFileType } from "./detect-file-type";
import { sendFile } from "./send-file";

const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

/** The beginning of a compound file with the entry of one stream, far behind the bytes that a type is read from. */
function compound(stream: string): Buffer {
  const file = Buffer.alloc(100 * 1_024);
  file.write("d0cf11e0a1b11ae1", "hex");
  file.write(stream, 90 * 1_024, "utf16le");
  return file;
}

function workspace(contents: Record<string, string | Uint8Array>) {
  const root = temporaryFolder();
  for (const [name, content] of Object.entries(contents)) writeFileSync(path.join(root, name), content);
  mkdirSync(path.join(root, "folder"));
  const given = { files: workspaceFiles(root) };
  return {
    at: (name: string) => path.join(root, name),
    detect: (name: string) => runTool(detectFileType, { filePath: name }, given),
    send: (args: JsonObject) => runTool(sendFile, args, given),
  };
}

describe("detect_file_type goes by the content:", () => {
  test.each<[string, string | Uint8Array, JsonObject]>([
    ["a.txt", "hello\n", { mediaType: "text/plain", category: "text", encoding: "ascii", bytes: 6, suggestedTool: "read_file" }],
    ["a.md", "é", { mediaType: "text/markdown", encoding: "utf-8" }],
    ["a.csv", "\uFEFFa,b", { mediaType: "text/csv", encoding: "utf-8 with BOM" }],
    [
      "a.txt",
      Buffer.from("\uFEFFhi", "utf16le"),
      { encoding: "utf-16le", suggestedTool: "read_file", guidance: expect.stringContaining("decoded from utf-16le") },
    ],
    ["a.txt", Buffer.from("café è già\n", "latin1"), { category: "text", encoding: "windows-1252", suggestedTool: "read_file" }],
    ["a.ipynb", "{}", { category: "notebook", suggestedTool: "notebook_read" }],
    ["a.txt", png, { mediaType: "image/png", category: "image", encoding: null, suggestedTool: "read_file" }],
    ["a.png", "no image", { mediaType: "text/plain", category: "text" }],
    ["a.txt", "%PDF-1.7\n", { mediaType: "application/pdf", category: "pdf", suggestedTool: "extract_document" }],
    ["a.docx", Buffer.from("504b0304140000000000", "hex"), { category: "office" }],
    ["a.rtf", "{\\rtf1\\ansi Text}", { mediaType: "application/rtf", category: "office", suggestedTool: "extract_document" }],
    ["a.eml", "From: a@example.test\n\nText", { mediaType: "message/rfc822", category: "mail", suggestedTool: "extract_document" }],
    [
      "a.msg",
      Buffer.from("d0cf11e0a1b11ae1".padEnd(2_000, "0"), "hex"),
      { mediaType: "application/vnd.ms-outlook", category: "mail", suggestedTool: "extract_document" },
    ],
    ["a.bmp", Buffer.from("424d460000000000000036000000", "hex"), { mediaType: "image/bmp", suggestedTool: "extract_document" }],
    ["a.tiff", Buffer.from("49492a0008000000".padEnd(200, "0"), "hex"), { mediaType: "image/tiff", suggestedTool: "extract_document" }],
    ["a.msi", compound("Property"), { mediaType: "application/x-cfb", category: "binary", suggestedTool: "shell_execute" }],
    [
      "locked.xlsx",
      compound("EncryptedPackage"),
      { category: "old_office", suggestedTool: null, guidance: expect.stringContaining("password") },
    ],
    ["a.bin", Buffer.from("1f8b0800000000000000", "hex"), { mediaType: "application/gzip", category: "archive" }],
    ["a.bin", Buffer.from([1, 2, 0, 3]), { mediaType: "application/octet-stream", category: "binary" }],
    ["a", "", { mediaType: "application/x-empty", category: "empty", suggestedTool: null }],
    ["constructor", "x", { mediaType: "text/plain" }],
    ["a.svg", "<svg/>", { mediaType: "image/svg+xml", category: "text" }],
    ["long.txt", `${"x".repeat(65_535)}é`, { encoding: "utf-8" }],
  ])("%s", async (name, content, expected) => {
    expect(await workspace({ [name]: content }).detect(name)).toMatchObject(expected);
  });

  test.each([
    ["a.doc", "WordDocument", "application/msword", ".docx"],
    ["without an ending", "Workbook", "application/vnd.ms-excel", ".xlsx"],
    ["a.ppt", "PowerPoint Document", "application/vnd.ms-powerpoint", ".pptx"],
  ])("an old Office file (%s) is sent to the reader where LibreOffice is, and else nowhere", async (name, stream, mediaType, ending) => {
    const found = await workspace({ [name]: compound(stream) }).detect(name);
    expect(found).toMatchObject({
      mediaType,
      category: "old_office",
      suggestedTool: libreOffice() ? "extract_document" : null,
      guidance: expect.stringContaining(
        libreOffice() ? "LibreOffice converts it" : `Ask for it as ${ending}, or an admin to install LibreOffice`,
      ),
    });
  });

  test("bytes that only begin like a type do no harm", async () => {
    for (const start of [
      "504b0304ffffffffffffffffffffffffffffffff",
      "fffb",
      "000000186674797068656963",
      "49492a00ffffffff",
      "664c614300000000",
    ]) {
      expect(await workspace({ a: Buffer.from(start, "hex") }).detect("a")).toMatchObject({ path: "a" });
    }
  });

  test("folders, missing files and paths outside are refused", async () => {
    const { detect } = workspace({ "a.txt": "x" });
    await expect(detect("folder")).rejects.toThrow("is a folder");
    await expect(detect("b/a.txt")).rejects.toThrow("Did you mean a.txt?");
    await expect(detect("../a.txt")).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("send_file", () => {
  test("hands over the bytes with their type, under a name of choice", async () => {
    const { send } = workspace({ "chart.bin": png });
    expect(await send({ filePath: "chart.bin", fileName: "Umsatz 2026.png" })).toMatchObject({
      text: `Sent Umsatz 2026.png (image/png, ${png.byteLength} bytes).`,
      files: [{ name: "Umsatz 2026.png", mediaType: "image/png", bytes: png }],
    });
    expect(await send({ path: "chart.bin" })).toMatchObject({ files: [{ name: "chart.bin" }] });
  });

  test("takes 20 MiB and no more", async () => {
    const { send, at } = workspace({ "a.bin": "" });
    truncateSync(at("a.bin"), 20 * 1_048_576 + 1);
    await expect(send({ path: "a.bin" })).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("more than 20 MiB"),
    });
    truncateSync(at("a.bin"), 20 * 1_048_576);
    expect(await send({ path: "a.bin" })).toMatchObject({ files: [{ bytes: expect.objectContaining({ byteLength: 20 * 1_048_576 }) }] });
  });

  test.each<[JsonObject, string]>([
    [{ path: "empty" }, "is empty"],
    [{ path: "folder" }, "is a folder"],
    [{ path: "../a.txt" }, "outside the workspace"],
    [{ path: "b/a.txt" }, "Did you mean a.txt?"],
    [{ path: "a.txt", name: "../x" }, "plain file name"],
    [{ path: "a.txt", name: "a\r\nSet-Cookie: x" }, "plain file name"],
    [{ path: "a.txt", name: "evil\u202egnp.exe" }, "plain file name"],
    [{ path: "a.txt", name: ".." }, "must be a file name"],
  ])("refuses %j", async (args, message) => {
    await expect(workspace({ "a.txt": "x", empty: "" }).send(args)).rejects.toThrow(message);
  });
});
