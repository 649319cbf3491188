import fc from "fast-check";
import { expect, test } from "vitest";
import { boundText } from "./bound-text";

const artifactId = "0199aa00-0000-7000-8000-000000000000";
const readTool = "read_artifact";
const numbered = (count: number, word = "line") => Array.from({ length: count }, (_, index) => `${word} ${index + 1}\n`).join("");

test("a text that fits is left as it is", () => {
  expect(boundText("short", { maxChars: 5, artifactId, readTool })).toBe("short");
});

test("a long text keeps its beginning and its end and says how long it was and where it is", () => {
  const cut = boundText(`first ${"x".repeat(20_000)} last`, { maxChars: 1_000, artifactId, readTool });
  expect(cut).toContain(`20,011 characters in all; read_artifact {"id": "${artifactId}"} reads on]`);
  expect(cut).toMatch(/\nfirst x/);
  expect(cut.endsWith("x last")).toBe(true);
  expect(cut.length).toBeLessThanOrEqual(1_000);
});

test("an error at the end gets most of the room", () => {
  const tailOf = (text: string) => boundText(text, { maxChars: 2_000, artifactId, readTool }).split("...]\n")[1]?.length ?? 0;
  const quiet = "x".repeat(10_000);
  expect(tailOf(`${quiet}\nTypeError: failed`)).toBeGreaterThan(tailOf(`${quiet}\nall is well here`) * 1.2);
});

test("whatever the text, the preview fits and never holds half a character", () => {
  const emoji = fc
    .tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 100, max: 400 }))
    .map(([off, count]) => "x".repeat(off) + "😀".repeat(count));
  const any = fc.string({ unit: "grapheme", minLength: 0, maxLength: 600 });
  fc.assert(
    fc.property(fc.oneof(any, emoji), fc.integer({ min: 300, max: 500 }), (text, maxChars) => {
      const cut = boundText(text, { maxChars, artifactId, readTool });
      expect(cut.length).toBeLessThanOrEqual(maxChars);
      expect(cut.isWellFormed()).toBe(true);
    }),
  );
});

test("a text that is longer by a single character is shown nearly whole, and no part of it twice", () => {
  const text = Array.from({ length: 1_600 }, (_, index) => `${String(index).padStart(4, "0")}\n`).join("");
  const cut = boundText(text, { maxChars: text.length - 1, artifactId, readTool });
  const shown = cut.split("\n").filter((line) => /^\d{4}$/.test(line));
  expect(new Set(shown).size).toBe(shown.length);
  expect(shown.length).toBeGreaterThan(1_500);
});

test("a cut falls between two lines, and says which line comes next", () => {
  const text = numbered(5_000);
  const cut = boundText(text, { maxChars: 2_000, artifactId, readTool });
  const [, startLine] = /characters left out, from startLine (\d+) on \.\.\.\]$/m.exec(cut) ?? [];
  const shown = cut.split("\n").filter((line) => line.startsWith("line "));
  expect(shown).toContain(`line ${Number(startLine) - 1}`);
  expect(shown).not.toContain(`line ${startLine}`);
  for (const line of shown) expect(text).toContain(`${line}\n`);
  expect(cut.endsWith("line 5000\n")).toBe(true);
});

test("a cut inside of one long line says the column that comes next, in characters", () => {
  const cut = boundText("😀".repeat(5_000), { maxChars: 1_000, artifactId, readTool });
  const [, startColumn] = /from startLine 1, startColumn (\d+) on/.exec(cut) ?? [];
  expect([...(cut.split("\n")[1] ?? "")].length).toBe(Number(startColumn) - 1);
});

test("each section keeps its beginning and its end, and a short one is whole", () => {
  const sections = ["exit code 1\n", numbered(3_000, "out"), "[stderr]\n", numbered(3_000, "err")];
  const cut = boundText(sections.join(""), { maxChars: 2_000, artifactId, readTool, sections });
  expect(cut.length).toBeLessThanOrEqual(2_000);
  for (const part of ["]\nexit code 1\nout 1\n", "out 3000\n[stderr]\nerr 1\n"]) expect(cut).toContain(part);
  expect(cut.endsWith("err 3000\n")).toBe(true);
  const short = ["exit code 1\n", numbered(3_000, "out"), "[stderr]\n", "one error\n"];
  expect(boundText(short.join(""), { maxChars: 2_000, artifactId, readTool, sections: short })).toMatch(
    /out 3000\n\[stderr\]\none error\n$/,
  );
});

test("a model that has no tool to read on is told the artifact alone", () => {
  const cut = boundText("x".repeat(5_000), { maxChars: 1_000, artifactId, readTool: null });
  expect(cut).toContain(`kept whole as artifact ${artifactId}`);
  expect(boundText("x".repeat(5_000), { maxChars: 1_000, artifactId: null, readTool })).toContain("the rest could not be kept");
});
