import { expect, test } from "vitest";
import { documentsCheck } from "./documents-check";

test("the doctor says which scans, fonts and old files this machine reads", async () => {
  const results = await documentsCheck.run("");
  expect(results.map(({ name, status, sentence }) => `${name}, ${status}: ${sentence}`)).toEqual([
    expect.stringMatching(/^Fonts, ok: The fonts of rendered PDF files are installed\./),
    expect.stringMatching(/^Text recognition, ok: Text in scanned pages and pictures can be read \([a-z_, ]*\beng\b[a-z_, ]*\)\.$/),
    expect.stringMatching(/^Old Office files, ok: LibreOffice (?:\(\/.+\) converts|is not installed, so) \.doc, \.xls and \.ppt files/),
  ]);
});
