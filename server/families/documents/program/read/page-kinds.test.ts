import { describe, expect, test } from "vitest";
import { packed, reading } from "../testing/office-file.ts";

describe("RTF", () => {
  const textOf = async (content: string) =>
    (
      await reading(
        "rtf",
        Buffer.from(`{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset204 B;}}${content}}`, "latin1"),
      )
    ).text;
  test.each([
    ["signs of the code page and of Unicode", "Stra\\'dfe \\u8364? {\\f1\\'cf\\'f0}\\emdash x", "Straße € Пр—x"],
    [
      "paragraphs, and what means something else without a mark",
      "One\\par 10{\\super 6} H{\\sub 2}O {\\strike old}",
      "One\n\n10^6^ H~2~O ~~old~~",
    ],
    ["a table", "\\trowd\\cellx1\\cellx2\\intbl a\\cell \\cell b\\cell\\row\\pard after", "| a |  | b |\n| --- | --- | --- |\n\nafter"],
    ["a footnote", "Text{\\footnote note} goes on", "Text[^1] goes on\n\n[^1]: note"],
    ["no instructions of other programs", "{\\*\\generator Secret;}{\\info{\\title No}}Yes", "Yes"],
  ])("has %s", async (_name, content, text) => {
    expect(await textOf(content)).toBe(text);
  });

  test("says what it left out", async () => {
    const read = await reading("rtf", Buffer.from("{\\rtf1 seen{\\v secret}{\\pict\\pngblip 0a0b}}"));
    expect(read).toMatchObject({ text: "seen", notes: ["Left out: 6 characters of hidden text, 1 picture."] });
  });
});

describe("EPUB", () => {
  const container = '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>';
  const book = (more: Record<string, string> = {}) =>
    packed({
      mimetype: "application/epub+zip",
      "META-INF/container.xml": container,
      "OEBPS/book.opf":
        '<package><metadata><dc:title>A book</dc:title><dc:creator>Ann</dc:creator></metadata><manifest><item id="b" href="two.xhtml"/><item id="a" href="text/one%201.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
      "OEBPS/text/one 1.xhtml": '<html><head><title/></head><body><a id="x"/><h1>One</h1><p>m<sup>2</sup></p></body></html>',
      "OEBPS/two.xhtml": "<html><body><h1>Two</h1></body></html>",
      ...more,
    });
  test("is read in the order of its spine", async () => {
    expect(await reading("epub", book())).toMatchObject({
      text: "Title: A book\nAuthor: Ann\n\n# One\n\nm^2^\n\n# Two",
      extent: "2 parts",
    });
    expect((await reading("epub", book(), { pages: "2" })).text).not.toContain("One");
  });

  test("that is protected is refused with the reason", async () => {
    const locked =
      '<encryption><EncryptedData><CipherData><CipherReference URI="OEBPS/two.xhtml"/></CipherData></EncryptedData></encryption>';
    await expect(reading("epub", book({ "META-INF/encryption.xml": locked }))).rejects.toThrow("protected (DRM)");
  });
});

describe("HTML", () => {
  const textOf = async (html: string) => (await reading("html", Buffer.from(html))).text;
  const head = "<tr><th>A</th><th>B</th><th>C</th></tr>";
  test.each([
    ["beside each other", "<tr><td colspan=2>1</td><td>3</td></tr>", "| 1 |  | 3 |"],
    ["below each other", "<tr><td rowspan=2>1</td><td>2</td><td>3</td></tr><tr><td>5</td><td>6</td></tr>", "| 1 | 2 | 3 |\n|  | 5 | 6 |"],
    ["both", "<tr><td rowspan=2 colspan=2>1</td><td>3</td></tr><tr><td>6</td></tr>", "| 1 |  | 3 |\n|  |  | 6 |"],
  ])("keeps the columns of cells that are merged %s", async (_name, rows, lines) => {
    expect(await textOf(`<table>${head}${rows}</table>`)).toBe(`| A | B | C |\n| --- | --- | --- |\n${lines}`);
  });

  test.each([
    ["a style", '<p>seen</p><p style="color:red; display: none">secret</p>'],
    [
      "a rule of the page",
      "<style>.x > p, #no { display:none } @media print { p { display: none } }</style><p>seen</p><p id=no>secret</p>",
    ],
    ["an attribute", "<p>seen</p><p hidden>secret</p>"],
  ])("leaves out what %s hides, and says so", async (_name, html) => {
    expect(await reading("html", Buffer.from(html))).toMatchObject({ text: "seen", notes: ["Left out: 6 characters of hidden text."] });
  });

  test("is read where something stands before its first tag", async () => {
    expect(await textOf(`<meta charset="utf-8"><html><body><p>text</p></body></html>`)).toBe("text");
  });

  test("keeps links, exponents and struck text", async () => {
    expect(await textOf('<p><a href="https://a.example/">the site</a> 10<sup>6</sup> <del>old</del></p>')).toBe(
      "[the site](https://a.example/) 10^6^ ~~old~~",
    );
  });
});
