import { describe, expect, test } from "vitest";
import { reading } from "../../testing/office-file.ts";
import { hebrewAt, pdfFile, textAt } from "../../testing/pdf-file.ts";

const textOf = async (bytes: Uint8Array) => (await reading("pdf", bytes)).text.replace("[Page 1]\n", "");

describe("values of a form stand beside their labels:", () => {
  const form = (fields: readonly string[], labels: string) =>
    pdfFile(
      { content: labels, annotations: fields.map((_, at) => `${20 + at} 0 R`) },
      `/AcroForm<</Fields[${fields.map((_, at) => `${20 + at} 0 R`).join(" ")}]>>`,
      fields.map((field, at) => `<</Type/Annot/Subtype/Widget/T(f${at})/P 3 0 R${field.includes("/F 2") ? "" : "/F 4"} ${field}>>`),
    );
  const box = (y: number) => `/Rect[150 ${y - 3} 300 ${y + 12}]`;

  test.each([
    ["text", [`/FT/Tx/V(Vera Vogt)${box(700)}`], "Name:\tVera Vogt"],
    ["a ticked box", [`/FT/Btn/V/Yes/AS/Yes${box(700)}`], "Name:\t☒"],
    ["an empty box", [`/FT/Btn/V/Off/AS/Off${box(700)}`], "Name:\t☐"],
    ["a choice, as it is shown", [`/FT/Ch/Ff 131072/V(at)/Opt[[(de)(Germany)][(at)(Austria)]]${box(700)}`], "Name:\tAustria"],
    ["lines of text", ["/FT/Tx/Ff 4096/V(One\\nTwo)/Rect[150 676 300 712]"], "Name:\tOne\n\tTwo"],
    ["a signature that is missing", [`/FT/Sig${box(700)}`], "Name:\t[signature: empty]"],
  ])("%s", async (_name, fields, text) => {
    expect(await textOf(form(fields, textAt(50, 700, "Name:") + textAt(50, 682, "")))).toBe(text);
  });

  test("empty fields are counted, and hidden ones are not there", async () => {
    const fields = [`/FT/Tx${box(700)}`, `/FT/Tx/V(filled)${box(600)}`, `/FT/Tx/V(secret)/F 2${box(500)}`];
    const read = await reading("pdf", form(fields, textAt(50, 700, "Name:")));
    expect(read.notes).toContain("A form with 2 fields, 1 empty.");
    expect(read.text).not.toContain("secret");
  });
});

describe("an empty cell of a table keeps its place", () => {
  const row = (y: number, cells: readonly (string | null)[]) =>
    cells.map((cell, at) => (cell === null ? "" : textAt(50 + at * 130, y, cell))).join("");
  const head = row(700, ["Part", "Count", "Price"]);
  test.each([
    ["in the middle", [["Screw", null, "1.50"]], "Screw\t\t1.50"],
    [
      "at the beginning",
      [
        ["Screw", "2", "1.50"],
        [null, "4", "2.00"],
      ],
      "Screw\t2\t1.50\n\t4\t2.00",
    ],
    [
      "in several rows",
      [
        ["Screw", null, "1.50"],
        ["Nail", "7", null],
        ["Plug", null, "3.00"],
      ],
      "Screw\t\t1.50\nNail\t7\nPlug\t\t3.00",
    ],
  ])("%s", async (_name, rows, text) => {
    const content = head + rows.map((cells, at) => row(685 - at * 15, cells)).join("");
    expect(await textOf(pdfFile({ content }))).toBe(`Part\tCount\tPrice\n${text}`);
  });

  test("when the file has one column after the other", async () => {
    const column = (at: number, cells: readonly (string | null)[]) =>
      cells.map((cell, line) => (cell === null ? "" : textAt(50 + at * 130, 700 - line * 15, cell))).join("");
    const content = column(0, ["Part", "Screw", "Nail"]) + column(1, ["Count", null, "7"]) + column(2, ["Price", "1.50", "2.00"]);
    expect(await textOf(pdfFile({ content }))).toBe("Part\tCount\tPrice\nScrew\t\t1.50\nNail\t7\t2.00");
  });

  test("prose in two columns is read column by column", async () => {
    const sentence = "A sentence of a paragraph that fills its line";
    const lines = (x: number, of: string) => [0, 1, 2].map((at) => textAt(x, 700 - at * 12, `${sentence} ${of}${at}`, 8)).join("");
    const text = await textOf(pdfFile({ content: lines(40, "a") + lines(320, "b") }));
    expect(text.match(/[ab]\d/g)).toEqual(["a0", "a1", "a2", "b0", "b1", "b2"]);
  });
});

test("columns of a page with short lines are read one after the other", async () => {
  const column = (x: number, of: string) => Array.from({ length: 16 }, (_, at) => textAt(x, 700 - at * 15, `${of} ${at}`)).join("");
  const head = [0, 1, 2].map((at) => textAt(400, 700 - at * 15, `Head ${at}`)).join("");
  const text = await textOf(pdfFile({ content: `${column(50, "Left")}${head}${textAt(400, 720, "Next")}` }));
  expect(text.match(/\w+ \d+/g)).toEqual([...Array.from({ length: 16 }, (_, at) => `Left ${at}`), "Head 0", "Head 1", "Head 2"]);
});

describe("words that are read from right to left are in reading order:", () => {
  test.each([
    ["one piece", hebrewAt(50, 700, "שלום עולם"), "שלום עולם"],
    ["a piece for each word", hebrewAt(90, 700, "חשבון") + hebrewAt(50, 700, "מספר"), "חשבון מספר"],
    ["a number between", hebrewAt(110, 700, "סכום") + textAt(80, 700, "250") + hebrewAt(50, 700, "שקל"), "סכום 250 שקל"],
    ["a table", hebrewAt(400, 700, "פריט") + hebrewAt(100, 700, "מחיר"), "פריט\tמחיר"],
  ])("%s", async (_name, content, text) => {
    expect(await textOf(pdfFile({ content }))).toBe(text);
  });
});

test("layers that are off are left out and said", async () => {
  const content = `${textAt(50, 700, "Always.")}/OC /L1 BDC ${textAt(50, 680, "Draft only.")} EMC /OC /L2 BDC ${textAt(50, 660, "Final.")} EMC`;
  const catalog = "/OCProperties<</OCGs[20 0 R 21 0 R]/D<</ON[21 0 R]/OFF[20 0 R]/Order[20 0 R 21 0 R]>>>>";
  const layers = ["<</Type/OCG/Name(Draft)>>", "<</Type/OCG/Name(Final)>>"];
  const read = await reading("pdf", pdfFile({ content, properties: "/Properties<</L1 20 0 R/L2 21 0 R>>" }, catalog, layers));
  expect(read.text).toBe("[Page 1]\nAlways.\n\nFinal.");
  expect(read.notes).toEqual(["Left out: 10 characters of layers that are off."]);
});

test("notes, marked text and links are named with the text they lie on", async () => {
  const annotation = (content: string) => `<</Type/Annot/F 4/P 3 0 R ${content}>>`;
  const content = textAt(50, 700, "The fee is 12 percent.", 10);
  const quad = (left: number, right: number) =>
    `/Rect[${left} 697 ${right} 710]/QuadPoints[${left} 710 ${right} 710 ${left} 697 ${right} 697]`;
  const objects = [
    annotation("/Subtype/Text/Rect[300 700 320 720]/Contents(Too high?)/T(Ann)"),
    annotation(`/Subtype/StrikeOut${quad(48, 160)}/Contents(old)`),
    annotation("/Subtype/Link/Rect[48 697 160 710]/A<</S/URI/URI(https://a.example/fees)>>"),
  ];
  const text = await textOf(pdfFile({ content, annotations: ["20 0 R", "21 0 R", "22 0 R"] }, "", objects));
  expect(text.split("\n")).toEqual([
    "The fee is 12 percent.",
    "[Note by Ann: Too high?]",
    '[Struck out "The fee is 12 percent.": old]',
    "[Link: The fee is 12 percent. → https://a.example/fees]",
  ]);
});

test("an exponent is no digit of its number", async () => {
  expect(await textOf(pdfFile({ content: `${textAt(50, 700, "about 10")}${textAt(88, 704, "6", 6)}${textAt(94, 700, " cells")}` }))).toBe(
    "about 10^6^ cells",
  );
});

test("the mark of a footnote is no part of its first word", async () => {
  expect(await textOf(pdfFile({ content: `${textAt(50, 704, "9", 6)}${textAt(53.4, 700, "Found in a footnote.")}` }))).toBe(
    "^9^Found in a footnote.",
  );
});

test("glyphs whose letters the font does not name are said to be wrong", async () => {
  const word = (at: number, text: string) => hebrewAt(50, 700 - at * 20, text);
  const noteOf = async (texts: readonly string[]) =>
    (await reading("pdf", pdfFile({ content: texts.map((text, at) => word(at, text)).join("") }))).notes;
  expect(await noteOf(["של\u0083ום", "עו\u0083לם", "ספ\u0083ר"])).toEqual([
    'Page 1: a font does not say which letters some of its glyphs are, so words there have wrong signs. method "ocr" reads the page as a picture.',
  ]);
  expect(await noteOf(["שלום", "עולם", "ספר"])).toEqual([]);
});
