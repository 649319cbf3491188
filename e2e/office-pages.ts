import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

const programOf = (name: string): string | null =>
  (process.env.PATH ?? "")
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file)) ?? null;

/**
 * Opens a document with LibreOffice, which prints it. Returns the text of the printed pages and the number of their pictures;
 * null on a machine without LibreOffice or Poppler.
 */
export async function officeText({ name, bytes }: { name: string; bytes: Uint8Array }): Promise<{ text: string; pictures: number } | null> {
  const [office, toText, toPictures] = ["soffice", "pdftotext", "pdftoppm"].map(programOf);
  if (!office || !toText || !toPictures) return null;
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-office-"));
  try {
    const file = path.join(folder, name);
    await writeFile(file, bytes);
    const printed = path.join(folder, `${path.parse(name).name}.pdf`);
    if (printed !== file) {
      const profile = `-env:UserInstallation=${pathToFileURL(path.join(folder, "profile"))}`;
      await run(office, [profile, "--headless", "--convert-to", "pdf", "--outdir", folder, file], { timeout: 240_000 });
    }
    const text = path.join(folder, "text.txt");
    await run(toText, ["-layout", printed, text]);
    await run(toPictures, ["-r", "60", "-png", printed, path.join(folder, "page")]);
    const pictures = (await readdir(folder)).filter((each) => /^page.*\.png$/.test(each)).length;
    return { text: await readFile(text, "utf8"), pictures };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
