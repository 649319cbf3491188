import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { withArtifacts } from "@/server/capabilities/files/artifact-files";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { libreOffice } from "@/server/capabilities/libre-office";
import { AppError } from "@/server/platform/errors";
import { documentKind } from "@/server/platform/formats/document-kind";
import { runTool } from "@/server/testing/run-tool";
import { temporaryFolder } from "@/server/testing/tool-context";
import type { AnyTool, RichResult } from "@/server/tools/define-tool";
import { extractDocument } from "./extract-document";
import { renderDocx } from "./render-docx";
import { renderPdf } from "./render-pdf";
import { renderPptx } from "./render-pptx";
import { renderXlsx } from "./render-xlsx";

const noArtifact = async (id: string) => {
  throw new AppError("not_found", `There is no artifact ${id} in this conversation.`);
};

const filters = { doc: "MS Word 97", xls: "MS Excel 97", ppt: "MS PowerPoint 97" };

/** Saves a new document in the old form; without LibreOffice, only the container that tells its kind. */
async function asOldOffice(bytes: Uint8Array, ending: keyof typeof filters): Promise<Uint8Array> {
  const program = libreOffice();
  if (!program) {
    const container = Buffer.alloc(2_048);
    container.write("d0cf11e0a1b11ae1", "hex");
    container.write({ doc: "WordDocument", xls: "Workbook", ppt: "PowerPoint Document" }[ending], 1_024, "utf16le");
    return container;
  }
  const folder = temporaryFolder();
  const given = path.join(folder, `given.${ending}x`);
  writeFileSync(given, bytes);
  const words = ["--headless", "--convert-to", `${ending}:${filters[ending]}`, "--outdir", folder, given];
  await promisify(execFile)(program, [`-env:UserInstallation=file://${folder}/profile`, ...words]);
  return readFileSync(path.join(folder, `given.${ending}`));
}

function workspace() {
  const files = withArtifacts(workspaceFiles(temporaryFolder()), noArtifact);
  const run = (tool: AnyTool, args: Parameters<typeof runTool>[1], more = {}) => runTool(tool, args, { files, ...more });
  return { files, run };
}

test("a report of the workspace becomes a Word file, and its text can be extracted again", async () => {
  const { files, run } = workspace();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="9" height="9"/></svg>';
  await files.writeBytes("texts/img/a chart.svg", Buffer.from(svg));
  const images = [
    "img/a%20chart.svg",
    "https://127.0.0.1/x.png",
    "../../up.png",
    "gone.png",
    "artifact:0198c2f0-0000-7000-8000-000000000000",
  ];
  await files.writeBytes(
    "texts/report.md",
    Buffer.from(`# Report 报告\n\nText.\n\n${images.map((image) => `![i](${image})`).join("\n\n")}\n`),
  );
  const rendered = (await run(renderDocx, { path: "texts/report.md" })) as RichResult;
  expect(rendered.files).toMatchObject([{ name: "report.docx", mediaType: expect.stringContaining("wordprocessingml") }]);
  const [first, ...notes] = rendered.text.split("\n");
  expect(first).toMatch(/^Rendered report\.docx \(/);
  expect(notes.map((note) => note.replace(/^The image (\S+) was left out: (.{12}).*$/, "$1 $2"))).toEqual([
    "https://127.0.0.1/x.png nothing is f",
    expect.stringContaining("../up.png"),
    "texts/gone.png There is no ",
    expect.stringContaining("There is no "),
  ]);
  // The name tells another kind; the content decides.
  await files.writeBytes("report.bin", rendered.files?.[0]?.bytes ?? new Uint8Array());
  const text = String(await run(extractDocument, { filePath: "report.bin" }));
  expect(text).toMatch(
    /^report\.bin: application\/vnd\.openxmlformats.* \(document text\)\.\nLeft out: 1 picture\.\n\n# Report 报告\n\nText\./s,
  );
});

test("attachments of a mail become files, and each is read by its name", async () => {
  const { files, run } = workspace();
  const page = Buffer.from("<table><tr><td>a</td><td>b</td></tr></table>").toString("base64");
  const lines = [
    "From: a@a.example",
    "Subject: Invoice",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="m"',
    "",
    "--m",
    "",
    "See the page.",
    "--m",
    'Content-Type: text/html; name="page.html"',
    "Content-Disposition: attachment",
    "Content-Transfer-Encoding: base64",
    "",
    page,
    "--m--",
  ];
  await files.writeBytes("mail.eml", Buffer.from(lines.join("\r\n")));
  const mail = (await run(extractDocument, { path: "mail.eml" })) as RichResult;
  expect(mail.text).toContain("Subject: Invoice\n\nSee the page.");
  expect(mail.files).toMatchObject([{ name: "page.html", mediaType: "text/html" }]);
  expect(String(await run(extractDocument, { path: "mail.eml", attachment: "PAGE.html" }))).toContain("page.html of mail.eml: text/html");
  await expect(run(extractDocument, { path: "mail.eml", attachment: "no.pdf" })).rejects.toThrow("only page.html");
});

test("an aborted call ends its document's process at once", async () => {
  const { files, run } = workspace();
  await files.writeBytes("a.txt", Buffer.from("text"));
  const abort = new AbortController();
  const reading = run(extractDocument, { path: "a.txt" }, { signal: abort.signal });
  setTimeout(() => abort.abort(new Error("stopped")), 5);
  await expect(reading).rejects.toThrow("stopped");
});

test("files that hold no text to extract are refused with the way out", async () => {
  const { files, run } = workspace();
  await files.writeBytes("data.bin", Buffer.from([0, 1, 2, 3]));
  await files.writeBytes("empty.pdf", new Uint8Array());
  await expect(run(extractDocument, { path: "data.bin" })).rejects.toThrow("not a document");
  await expect(run(extractDocument, { path: "empty.pdf" })).rejects.toThrow("is empty");
  await expect(run(extractDocument, { path: "a.pdf", pages: "one" })).rejects.toThrow("pages: must be ranges");
});

test.each([
  ["gb18030", "姓名,部门\n王小明,财务部\n", "Its encoding is guessed: gb18030; encoding sets another."],
  ["windows-1252", "Name;Straße\nMüller;Hof\n", "guessed: windows-1252"],
  ["utf-16be", "name;city\nJosé;Zürich\n", "guessed: utf-16be"],
])("a table in %s is read, and its encoding is named", async (encoding, text, says) => {
  const { files, run } = workspace();
  await files.writeBytes("a.csv", iconv.encode(text, encoding));
  const extracted = String(await run(extractDocument, { path: "a.csv" }));
  expect(extracted).toContain(text.trim());
  expect(extracted).toContain(says);
});

test("the encoding that a call names is taken", async () => {
  const { files, run } = workspace();
  await files.writeBytes("a.txt", iconv.encode("Łódź", "iso-8859-2"));
  expect(String(await run(extractDocument, { path: "a.txt", encoding: "latin2" }))).toContain("Łódź");
  await expect(run(extractDocument, { path: "a.txt", encoding: "martian" })).rejects.toThrow("encoding: martian is not known");
});

test("an encrypted Office file is said to have a password", async () => {
  const { files, run } = workspace();
  const container = Buffer.alloc(2_048);
  container.write("d0cf11e0a1b11ae1", "hex");
  container.write("EncryptedPackage", 1_024, "utf16le");
  await files.writeBytes("plan.xlsx", container);
  await expect(run(extractDocument, { path: "plan.xlsx" })).rejects.toThrow("plan.xlsx is encrypted with a password");
});

test("a document's kind comes from its content", async () => {
  const kind = async (name: string, bytes: Uint8Array) => (await documentKind(name, bytes)).kind;
  expect(await kind("a.txt", Buffer.from("\n%PDF-1.7"))).toBe("pdf");
  expect(await kind("a.docx", Buffer.from("PK\u0003\u0004"))).toBe("docx");
  expect(await kind("a.zip", Buffer.from("PK\u0003\u0004"))).toBe("unknown");
  expect(await kind("a.md", Buffer.from("# Text"))).toBe("text");
  expect(await kind("a", Buffer.from("<!DOCTYPE html><p>"))).toBe("html");
});

test("a call declares every workspace file that it reads", () => {
  const markdown = "![a](charts/../a.png)\n![b](https://x.example/b.png)\n![c](notes.txt)\ntext ![d](d.png)";
  const parsed = renderPdf.parse({ markdown });
  if (!parsed.ok) throw new Error(parsed.message);
  expect(renderPdf.effects?.(parsed.value)).toEqual([{ kind: "read", argument: "/markdown", path: "a.png" }]);
  const files = renderPptx.parse({ filePaths: ["a.md", "b/../c.md"] });
  if (!files.ok) throw new Error(files.message);
  expect(renderPptx.effects?.(files.value)).toMatchObject([{ path: "a.md" }, { path: "c.md" }]);
});

test.each([
  [{}, "send either markdown or path"],
  [{ markdown: "a", path: "b.md" }, "send either markdown or path"],
  [{ markdown: "a", filename: "../a" }, "filename: must be a plain file name"],
  [{ markdown: "a", aspectRatio: "4:3" }, "unknown argument `aspectRatio`"],
])("the arguments %j do not fit", (args, reason) => {
  expect(renderXlsx.parse(args)).toMatchObject({ ok: false, message: expect.stringContaining(reason) });
});

test("an old Word file that is damaged is refused by LibreOffice, and without LibreOffice by a sentence that names it", async () => {
  const { files, run } = workspace();
  await files.writeBytes("old.doc", Buffer.from("d0cf11e0a1b11ae1".padEnd(2_000, "0"), "hex"));
  await expect(run(extractDocument, { path: "old.doc" })).rejects.toThrow(
    libreOffice()
      ? "LibreOffice cannot open old.doc: it is damaged, or has a password."
      : "Save it as .docx, or ask an admin to install LibreOffice (soffice).",
  );
});

test.each([
  ["doc", renderDocx, "# Old report\n\nPrices rose by 4 %.\n", "Prices rose by 4 %."],
  ["xls", renderXlsx, "# Sheet\n\n| Item | Price |\n|---|---|\n| Rent | 1250 |\n", "Rent\t1250"],
  ["ppt", renderPptx, "# Old slides\n\n- First point\n", "First point"],
] as const)(
  "the text of a .%s file is read where LibreOffice is, and else LibreOffice is named",
  async (ending, tool, markdown, text) => {
    const { files, run } = workspace();
    const made = (await run(tool, { markdown })) as RichResult;
    await files.writeBytes(`old.${ending}`, await asOldOffice(made.files?.[0]?.bytes ?? new Uint8Array(), ending));
    const reading = run(extractDocument, { path: `old.${ending}` });
    if (!libreOffice()) return expect(reading).rejects.toThrow("LibreOffice, which converts it, is not installed");
    const read = String(await reading);
    expect(read).toContain(text);
    expect(read).toContain("LibreOffice converted it from the old binary form of Office.");
  },
  200_000,
);
