import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxPageBytes, readPage, type TextPage } from "./text-page";

/** Yields a file in pieces of the given size, which split lines and characters. */
async function* inPieces(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += size) yield Buffer.from(bytes.subarray(from, from + size));
}

const pageOf = (text: string | Uint8Array, request: Partial<Parameters<typeof readPage>[1]> = {}, pieceSize = 65_536, counted?: number) =>
  readPage(
    inPieces(typeof text === "string" ? Buffer.from(text) : text, pieceSize),
    { startLine: 1, startColumn: 1, endLine: null, maxLines: 1_000, ...request },
    counted === undefined ? {} : { maxCounted: counted },
  );

/** Removes the line numbers of a page. */
const withoutNumbers = (content: string) => content.replaceAll(/^ *\d+\t/gm, "");

/** Reads page after page as a model does, from the last page's next position. */
async function allPages(bytes: Uint8Array, maxLines: number, pieceSize: number): Promise<TextPage[]> {
  const pages: TextPage[] = [];
  let place = { startLine: 1, startColumn: 1 };
  while (true) {
    const page = await pageOf(bytes, { ...place, maxLines }, pieceSize);
    pages.push(page);
    if (!page.truncated) return pages;
    if (page.nextStartLine === null) throw new Error("A page that was cut did not say where to go on");
    const next = { startLine: page.nextStartLine, startColumn: page.nextStartColumn ?? 1 };
    if (next.startLine === place.startLine && next.startColumn <= place.startColumn) throw new Error("The page did not get any further");
    place = next;
  }
}

describe("a page", () => {
  test("has each line with its number in front", async () => {
    expect(await pageOf("one\ntwo\nthree\n")).toEqual({
      content: "1\tone\n2\ttwo\n3\tthree\n",
      totalLines: 3,
      countedLines: 3,
      endLine: 3,
      readLines: 3,
      truncated: false,
      nextStartLine: null,
      nextStartColumn: null,
      nextByte: null,
      lineTruncated: false,
      hasForeignBytes: false,
    });
  });

  test("of an empty file is empty", async () => {
    expect(await pageOf("")).toMatchObject({ content: "", totalLines: 0, endLine: 0, readLines: 0, truncated: false });
  });

  test.each([
    ["a", 1],
    ["a\n", 1],
    ["\n", 1],
    ["\n\n", 2],
    ["a\nb", 2],
    ["a\n\nb\n", 3],
  ])("of %j counts %d lines", async (text, totalLines) => {
    const page = await pageOf(text);
    expect(page).toMatchObject({ totalLines, readLines: totalLines });
    expect(withoutNumbers(page.content)).toBe(text);
  });

  test("keeps line ends as they are", async () => {
    expect(withoutNumbers((await pageOf("a\r\nb\nc\r\n")).content)).toBe("a\r\nb\nc\r\n");
  });

  test("begins and ends where it is asked to, and is not cut then", async () => {
    expect(await pageOf("1\n2\n3\n4\n5\n", { startLine: 2, endLine: 4 })).toMatchObject({
      content: "2\t2\n3\t3\n4\t4\n",
      totalLines: 5,
      endLine: 4,
      truncated: false,
      nextStartLine: null,
    });
    expect(await pageOf("1\n2\n", { startLine: 2, endLine: 99 })).toMatchObject({ content: "2\t2\n", endLine: 2, truncated: false });
  });

  test("ends after its number of lines, and says where to go on", async () => {
    expect(await pageOf("1\n2\n3\n", { maxLines: 2 })).toMatchObject({
      endLine: 2,
      truncated: true,
      nextStartLine: 3,
      nextStartColumn: null,
    });
    expect(await pageOf("1\n2\n3\n", { maxLines: 3 })).toMatchObject({ truncated: false, nextStartLine: null });
    expect(await pageOf("1\n2\n3\n4\n", { endLine: 3, maxLines: 2 })).toMatchObject({ truncated: true, nextStartLine: 3 });
    expect(await pageOf("1\n2\n3\n4\n", { endLine: 2, maxLines: 2 })).toMatchObject({ truncated: false, nextStartLine: null });
  });

  test("leaves a line that does not fit any more for the next one", async () => {
    const long = "x".repeat(20_000);
    expect(await pageOf(`${long}\n${long}\n`)).toMatchObject({
      readLines: 1,
      endLine: 1,
      truncated: true,
      nextStartLine: 2,
      nextStartColumn: null,
      lineTruncated: false,
    });
  });
});

describe("a line that is longer than a page", () => {
  const rest = 500;
  const long = "x".repeat(maxPageBytes + rest);

  test("is cut, and the next page goes on inside of it", async () => {
    const first = await pageOf(`${long}\nafter\n`);
    expect(first).toMatchObject({
      readLines: 1,
      truncated: true,
      lineTruncated: true,
      nextStartLine: 1,
      nextStartColumn: maxPageBytes + 1,
      totalLines: 2,
    });
    expect(await pageOf(`${long}\nafter\n`, { startLine: 1, startColumn: maxPageBytes + 1 })).toMatchObject({
      content: `1\t${"x".repeat(rest)}\n2\tafter\n`,
      truncated: false,
      nextStartColumn: null,
    });
  });

  test("of exactly a page is whole: the next page begins with the next line", async () => {
    expect(await pageOf(`${"x".repeat(maxPageBytes)}\nafter\n`)).toMatchObject({
      readLines: 1,
      truncated: true,
      lineTruncated: false,
      nextStartLine: 2,
      nextStartColumn: null,
    });
  });

  test("that ends the file without a line break is read to its end", async () => {
    expect(await pageOf(long)).toMatchObject({ truncated: true, nextStartLine: 1, nextStartColumn: maxPageBytes + 1 });
    expect(await pageOf(long, { startColumn: maxPageBytes + 1 })).toMatchObject({ truncated: false, nextStartLine: null });
  });

  test("is still cut when it is the last one asked for", async () => {
    expect(await pageOf(`${long}\nafter\n`, { endLine: 1 })).toMatchObject({ truncated: true, nextStartLine: 1, lineTruncated: true });
  });

  test("counts columns in characters, whatever their bytes", async () => {
    // The limit falls inside a character of four bytes.
    const text = `a${"😀".repeat(maxPageBytes / 4)}tail\n`;
    const first = await pageOf(text);
    expect(first.content).toBe(`1\ta${"😀".repeat(maxPageBytes / 4 - 1)}`);
    expect(first.nextStartColumn).toBe(maxPageBytes / 4 + 1);
    expect((await pageOf(text, { startColumn: first.nextStartColumn ?? 0 })).content).toBe("1\t😀tail\n");
  });
});

describe("a page that cannot be", () => {
  test("begins behind the last line", async () => {
    await expect(pageOf("a\nb\n", { startLine: 3 })).rejects.toThrow("The file has 2 lines, so startLine 3 is behind its end.");
    await expect(pageOf("", { startLine: 2 })).rejects.toThrow("0 lines");
  });

  test("begins behind the end of its line", async () => {
    await expect(pageOf("héllo\n", { startColumn: 7 })).rejects.toThrow("Line 1 has 5 characters");
    expect((await pageOf("héllo\nb\n", { startColumn: 6 })).content).toBe("1\t\n2\tb\n");
  });

  test("holds bytes that no text has", async () => {
    await expect(pageOf("a\nb\0c\n")).rejects.toThrow("Line 2 is not text");
    await expect(pageOf(Buffer.alloc(100_000, 0x80))).rejects.toThrow("Line 1 is not text");
  });
});

test("bytes that are not UTF-8 are shown as replacement characters, and the page says so", async () => {
  expect(await pageOf(Buffer.from("caf\xe9\nok\n", "latin1"))).toMatchObject({
    content: "1\tcaf\uFFFD\n2\tok\n",
    hasForeignBytes: true,
  });
});

test("a page of an endless line ends without reading the line to its end", async () => {
  let pieces = 0;
  async function* endless() {
    while (true) {
      pieces += 1;
      yield Buffer.alloc(10_000, "é");
    }
  }
  const page = await readPage(endless(), { startLine: 1, startColumn: 100_001, endLine: null, maxLines: 10 }, { maxCounted: 1_000 });
  expect(page).toMatchObject({ totalLines: null, countedLines: 1, nextStartColumn: 100_001 + maxPageBytes / 2 });
  expect(pieces).toBeLessThan(26);
});

test("a file too large to count says null, and still where to go on", async () => {
  const text = "0123456789\n".repeat(10_000);
  expect(await pageOf(text, { maxLines: 10 }, 1_000, 5_000)).toMatchObject({
    totalLines: null,
    endLine: 10,
    truncated: true,
    nextStartLine: 11,
  });
  expect(await pageOf(text, { startLine: 9_000, maxLines: 10 }, 1_000, 5_000)).toMatchObject({ endLine: 9_009, nextStartLine: 9_010 });
  expect(await pageOf(text, { startLine: 3, endLine: 4 }, 1_000, 5_000)).toMatchObject({ totalLines: null, endLine: 4, truncated: false });
});

describe("page after page is the file, byte for byte,", () => {
  const line = fc.oneof(
    { weight: 6, arbitrary: fc.string({ unit: "grapheme", maxLength: 30 }) },
    { weight: 3, arbitrary: fc.constantFrom("", "\r", "\t", "  12\t", "\uFEFFbom", "日本語", "👩‍👩‍👧", "\u2028") },
    // Line lengths around and above the page size, with characters of one to four bytes.
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom("x", "é", "日", "😀"), fc.integer({ min: -3, max: 3 }), fc.integer({ min: 1, max: 3 }))
        .map(([character, off, pages]) => `${character.repeat(Math.floor((maxPageBytes * pages) / Buffer.byteLength(character)) + off)}`),
    },
  );
  const file = fc
    .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
    .map(([lines, ending, ended]) => lines.map((text) => text.replaceAll(/[\n\0]/g, "")).join(ending) + (ended ? ending : ""));

  test("for any text, page size and way of arriving", async () => {
    await fc.assert(
      fc.asyncProperty(
        file,
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 500, max: 70_000 }),
        async (text, maxLines, pieceSize) => {
          const bytes = Buffer.from(text);
          const pages = await allPages(bytes, maxLines, pieceSize);
          const [first, second] = pages;
          if (first?.nextByte != null && first.nextStartLine !== null) {
            const place = { startLine: first.nextStartLine, startColumn: first.nextStartColumn ?? 1 };
            const origin = { line: place.startLine, column: place.startColumn };
            const request = { ...place, endLine: null, maxLines };
            const { nextByte: _byte, ...page } = await readPage(inPieces(bytes.subarray(first.nextByte), pieceSize), request, { origin });
            expect(second).toMatchObject(page);
          }
          expect(pages.map(({ content }) => withoutNumbers(content)).join("")).toBe(bytes.toString());
          for (const page of pages) {
            expect(Buffer.byteLength(withoutNumbers(page.content).replaceAll("\n", ""))).toBeLessThanOrEqual(maxPageBytes);
            expect(page.readLines).toBeLessThanOrEqual(maxLines);
            expect(page.totalLines).toBe(pages[0]?.totalLines);
            expect(page.nextStartLine === null).toBe(!page.truncated);
            expect(page.nextStartColumn !== null).toBe(page.lineTruncated);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test("even when it arrives one byte at a time", async () => {
    const text = "日本語\r\n😀é\n\nlast";
    const pages = await allPages(Buffer.from(text), 1, 1);
    expect(pages.map(({ content }) => withoutNumbers(content)).join("")).toBe(text);
  });
});
