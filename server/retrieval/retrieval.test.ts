import { describe, expect, test } from "vitest";
import { chunkText } from "./chunk-text";
import { findMatches, snippetOf } from "./find-matches";
import { fuseRankings } from "./fuse-rankings";
import { tokenize } from "./tokenize";

const terms = (text: string) => new Set(tokenize(text));

describe("matches", () => {
  test("say which words of the request stand where, in the form in which they are written", () => {
    const text = "First line.\nShe searches\nthe flights, then the HTMLParser.";
    const { terms: found, places } = findMatches(text, terms("search flight parser hotel"));
    expect([...found].sort()).toEqual([...terms("search flight parser")].sort());
    expect(places.map(({ start, end, line }) => [text.slice(start, end), line])).toEqual([
      ["searches", 2],
      ["flights", 3],
      ["HTMLParser", 3],
    ]);
  });

  test("find Chinese words in text without spaces", () => {
    const text = "今天的天气预报说明天有雨";
    const { places } = findMatches(text, terms("天气"));
    expect(places.map(({ start, end }) => text.slice(start, end))).toEqual(["天气"]);
  });

  test("are shown by a snippet of the line that has most of them", () => {
    const text = `apples are red\n${"filler ".repeat(40)}apples and pears ${"filler ".repeat(40)}\npears are green`;
    const { snippet, line } = snippetOf(text, findMatches(text, terms("apples pears")), 80);
    expect(line).toBe(2);
    expect(snippet).toMatch(/^….*apples and pears.*…$/);
    expect(snippet.length).toBeLessThanOrEqual(82);
  });
});

describe("a text is split into chunks", () => {
  test("with the headings above each, its line and its place", () => {
    const text = "# Guide\n\nIntro.\n\n## Install\n\nRun it.\n\n# Other\n\nEnd.";
    const chunks = chunkText(text);
    expect(chunks.map(({ text, headings, line, page }) => ({ text, headings, line, page }))).toEqual([
      { text: "Intro.", headings: ["Guide"], line: 3, page: null },
      { text: "Run it.", headings: ["Guide", "Install"], line: 7, page: null },
      { text: "End.", headings: ["Other"], line: 11, page: null },
    ]);
    for (const chunk of chunks) expect(text.slice(chunk.start, chunk.end)).toBe(chunk.text);
  });

  test("with the page on which it stands, counted by form feeds", () => {
    expect(chunkText("One.\fTwo.\n\fThree.").map(({ text, page }) => [text, page])).toEqual([
      ["One.", 1],
      ["Two.", 2],
      ["Three.", 3],
    ]);
  });

  test("that keep tables and code whole, and never read a heading in code", () => {
    const code = `\`\`\`sh\n# a comment\n\n${"echo hello world\n".repeat(150)}\`\`\``;
    const table = `| a | b |\n|---|---|\n${"| one | two |\n".repeat(200)}`.trimEnd();
    const chunks = chunkText(`# T\n\n${code}\n\nWords.\n\n${table}\n`);
    expect(chunks.map(({ text }) => text)).toEqual([code, "Words.", table]);
    expect(new Set(chunks.flatMap(({ headings }) => headings))).toEqual(new Set(["T"]));
  });

  test("that repeat the head of a table too large for one", () => {
    const head = "| name | value |\n| --- | --- |";
    const chunks = chunkText(`${head}\n${"| something long | and a value |\n".repeat(800)}`);
    expect(chunks.length).toBeGreaterThan(1);
    for (const { text } of chunks) expect(text.startsWith(head)).toBe(true);
  });

  test("of bounded size at sentences, and no character is lost or cut in two", () => {
    const text = `${"This is a sentence of some words. ".repeat(200)}${"😀".repeat(3_000)}`;
    const chunks = chunkText(text, 500);
    expect(Math.max(...chunks.map(({ text }) => text.length))).toBeLessThanOrEqual(500);
    expect(chunks.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
    expect(chunks.every(({ text }) => text.isWellFormed())).toBe(true);
  });
});

test("rankings are fused by reciprocal rank: what two agree on comes first", () => {
  const fused = fuseRankings([{ names: ["a", "b", "c"] }, { names: ["b", "d"], weight: 1 }]);
  expect(fused.map(({ name }) => name)).toEqual(["b", "a", "d", "c"]);
});
