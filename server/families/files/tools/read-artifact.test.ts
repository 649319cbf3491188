import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { runTool } from "@/server/testing/run-tool";
import { readArtifact } from "./read-artifact";

function kept(text: string | Uint8Array, { name = "shell_execute.txt", mediaType = "text/plain" } = {}) {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let at = 0; at < bytes.byteLength; at += 1_000) yield bytes.subarray(at, at + 1_000);
  }
  const open = async () => ({ name, mediaType, bytes: bytes.byteLength, chunks });
  return { read: (args: JsonObject = {}) => runTool(readArtifact, { id: "a", ...args }, { artifacts: { open } }) as Promise<string> };
}

const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index + 1}\n`).join("");
const withoutNumbers = (page: string) => page.replace(/^.*\n/, "").replaceAll(/^\d+\t/gm, "");

test("every character of a long text is read by going on as each page says", async () => {
  const { read } = kept(lines);
  let text = "";
  for (let startLine: number | null = 1; startLine !== null; ) {
    const page = await read({ startLine });
    text += withoutNumbers(page);
    startLine = Number(/^.*Go on with startLine (\d+)\./.exec(page)?.[1]) || null;
  }
  expect(text).toBe(lines);
});

test("every character of one long line is read by columns", async () => {
  const line = "😀é".repeat(20_000);
  const { read } = kept(line);
  let text = "";
  for (let startColumn: number | null = 1; startColumn !== null; ) {
    const page = await read({ startColumn });
    text += withoutNumbers(page);
    startColumn = Number(/^.*startColumn (\d+)\./.exec(page)?.[1]) || null;
  }
  expect(text).toBe(line);
});

test("an artifact in another encoding is read", async () => {
  const utf16 = Buffer.from("\uFEFFname;Zürich\n", "utf16le");
  expect(withoutNumbers(await kept(utf16).read())).toBe("name;Zürich\n");
  expect(await kept(Buffer.from("Straße;Müller\n", "latin1")).read({ query: "straße" })).toContain("1: Straße;Müller");
});

describe("a query finds lines", () => {
  test("with their numbers, in capitals or not", async () => {
    const { read } = kept("ok\nTypeError: x\nok\nan error\n");
    expect(await read({ query: "ERROR" })).toBe('shell_execute.txt: lines that contain "ERROR":\n2: TypeError: x\n4: an error');
    expect(await read({ query: "error", startLine: 3 })).toBe('shell_execute.txt: lines that contain "error":\n4: an error');
  });

  test("and in a long line every place, with the column that startColumn takes", async () => {
    const { read } = kept(`${"😀".repeat(5_000)}needle one${"x".repeat(5_000)}needle two`);
    const found = await read({ query: "needle" });
    const columns = [...found.matchAll(/^1, column (\d+): …/gm)].map(([, column]) => Number(column));
    expect(columns).toEqual([5_001, 10_011]);
    expect(withoutNumbers(await read({ startColumn: 10_011 }))).toBe("needle two");
  });

  test("at most 100, and says how to find the others", async () => {
    const found = await kept(lines).read({ query: "line" });
    expect(found.split("\n")).toHaveLength(102);
    expect(found).toContain("send a longer query, or startLine 101 to go on.]");
  });

  test("or says that there is none", async () => {
    expect(await kept(lines).read({ query: "needle" })).toBe('shell_execute.txt: no line contains "needle".');
  });
});

test("a place behind the end and bytes that are no text are refused with what to do", async () => {
  await expect(kept("one\n").read({ startLine: 9 })).rejects.toThrow("The artifact has 1 lines, so startLine 9 is behind its end.");
  const image = kept(new Uint8Array([0x89, 0x50, 0, 0]), { name: "shot.png", mediaType: "image/png" });
  await expect(image.read()).rejects.toThrow("shot.png (image/png) is not text");
});

test("it only reads, and its own answers are never cut", () => {
  expect(readArtifact).toMatchObject({ effect: "read", neverSpilled: true, readsArtifacts: true, defaultTier: "core" });
});
