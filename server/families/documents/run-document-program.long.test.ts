import { expect, test } from "vitest";
import { scan } from "./program/testing/scan.ts";
import { extractApart } from "./run-document-program";

const task = { work: "extract", kind: "image", sheets: [], method: "auto", changes: "accepted", maxChars: 20_000 } as const;
const listening = { signal: new AbortController().signal, progress: () => {} };

test("a scan in an unknown script is told within the memory of one document, though all threads of recognition run", async () => {
  const bytes = scan(["发票号码 4711", "总金额二百五十元整"], "Chinese");
  await expect(extractApart({ ...task, bytes }, listening)).rejects.toThrow(/script seems to be Han, .*@tesseract\.js-data\/chi_sim/);
}, 60_000);
