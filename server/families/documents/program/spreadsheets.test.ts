import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { expect, test } from "vitest";
import type { ExtractTask } from "./document-task.ts";
import { extract } from "./read/extract.ts";
import { render } from "./write/render.ts";

type Parts = { sheet?: string; formats?: readonly string[]; more?: Record<string, string>; properties?: string; calculation?: string };

/** Makes a workbook with one sheet. Style n of a cell has the n-th format: a number, or a pattern. */
function workbook({ sheet = "", formats = [], more = {}, properties = "", calculation = "" }: Parts): Uint8Array {
  const ids = formats.map((format, index) => (/^[1-9]\d*$/.test(format) ? Number(format) : 200 + index));
  const patterns = formats.map((format, index) => `<numFmt numFmtId="${200 + index}" formatCode="${format.replaceAll('"', "&quot;")}"/>`);
  const files = {
    "xl/workbook.xml": `<workbook><workbookPr ${properties}/><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets>${calculation}</workbook>`,
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="x/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="r9" Type="x/person" Target="persons/person.xml"/></Relationships>',
    "xl/styles.xml": `<styleSheet><numFmts>${patterns.join("")}</numFmts><cellXfs><xf/>${ids.map((id) => `<xf numFmtId="${id}"/>`).join("")}</cellXfs></styleSheet>`,
    "xl/worksheets/sheet1.xml": sheet.startsWith("<worksheet") ? sheet : `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    ...more,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])));
}

const reading = (kind: "xlsx" | "ods", bytes: Uint8Array, more: Partial<ExtractTask> = {}) =>
  extract({ work: "extract", kind, bytes, sheets: [], method: "auto", changes: "accepted", maxChars: 100_000, ...more });

async function shown(format: string, value: string | number, properties = ""): Promise<string> {
  const sheet = `<row r="1"><c r="A1" s="1"><v>${value}</v></c></row>`;
  const { text } = await reading("xlsx", workbook({ sheet, formats: [format], properties }));
  return text.split("\n")[1]?.replace(/^1\t/, "") ?? "";
}

test.each([
  ["14", 45_761, "2025-04-14"],
  ["22", 45_761.5, "2025-04-14 12:00:00"],
  ["28", 45_761, "2025-04-14"],
  ["36", 45_761, "2025-04-14"],
  ["33", 0.75, "18:00:00"],
  ["55", 0.25, "06:00:00"],
  ["58", 45_761, "2025-04-14"],
  ["71", 45_761, "2025-04-14"],
  ["d. mmmm yyyy", 45_761, "2025-04-14"],
  ["[$-411]ggge年m月d日", 45_761, "2025-04-14"],
  ['"Due "dd.mm.yyyy', 45_761, "Due 14.04.2025 (2025-04-14)"],
])("the date format %s shows %d as %s", async (format, serial, wanted) => {
  expect(await shown(format, serial)).toBe(wanted);
});

test.each([
  [1, "1900-01-01"],
  [59, "1900-02-28"],
  [60, "1900-02-29"],
  [61, "1900-03-01"],
  [0, "1900-01-00"],
  [-5, "-5"],
])("day %d of the calendar is shown as in Excel", async (serial, wanted) => {
  expect(await shown("14", serial)).toBe(wanted);
});

test("an extension with an element of the same name keeps the calendar that counts from 1904", async () => {
  const sheet = '<row r="1"><c r="A1" s="1"><v>41051</v></c></row>';
  const calculation = "<extLst><ext><x14:workbookPr defaultImageDpi='32767'/></ext></extLst>";
  const bytes = workbook({ sheet, formats: ["14"], properties: 'date1904="1"', calculation });
  expect((await reading("xlsx", bytes)).text).toContain("2016-05-23");
});

test.each([
  ["4.774113E-2", "0.04774113"],
  ["5E-2", "0.05"],
  ["-1.25e3", "-1250"],
  ["1E-9", "1e-9"],
  ["0.30000000000000004", "0.3"],
  ["12345678901234567890", "12345678901234567890"],
])("a number stored as %s is shown as %s", async (written, wanted) => {
  expect(await shown("0", written)).toBe(wanted);
});

test("a workbook that counts from 1904 has its own calendar", async () => {
  expect(await shown("14", 0, 'date1904="1"')).toBe("1904-01-01");
  expect(await shown("14", 44_299, 'date1904="true"')).toBe("2025-04-14");
});

test.each([
  ["[h]:mm", 30.25 / 24, "30:15"],
  ["[h]:mm", 109_212 / 86_400, "30:20:12"],
  ["46", 1.5, "36:00:00"],
  ["[mm]:ss", 75.5 / 1_440, "75:30 (1:15:30)"],
  ["h:mm", 0.5, "12:00:00"],
  ["h:mm", 1.25, "06:00:00 (30:00:00)"],
])("the duration format %s shows %d as %s", async (format, value, wanted) => {
  expect(await shown(format, value)).toBe(wanted);
});

test.each([
  ["00000", 1_067, "01067"],
  ["(000) 000-0000", 5_551_234_567, "(555) 123-4567"],
  ["0.0%", 0.125, "12.5%"],
  ["9", 0.125, "13% (0.125)"],
  ["#,##0.00\\ [$€-407]", 1_234.5, "1,234.50 €"],
  ["[$USD] #,##0", 1_234.4, "USD 1,234 (1234.4)"],
  ['0.0,,"M"', 12_345_678, "12.3M (12345678)"],
  ['0 "days"', 3, "3 days"],
  ["#,##0.00", 1_234.5, "1234.5"],
  ["0.00E+00", 12_345, "12345"],
  ["# ?/?", 0.5, "1/2 (0.5)"],
  ['0;-0;"-"', 0, "0"],
  [";;;", 5, "5"],
  ["a pattern nobody knows [", 5, "5"],
  ["0", "0.30000000000000004", "0.3"],
  ["0", "9007199254740993", "9007199254740993"],
])("the number format %s shows %s as %s", async (format, value, wanted) => {
  expect(await shown(format, value)).toBe(wanted);
});

test("a formula without a stored value is shown as a formula, and a note counts them", async () => {
  const sheet =
    '<row r="1"><c r="A1"><f>SUM(B1:B3)</f></c><c r="B1"><f>1+1</f><v>2</v></c><c r="C1" t="str"><f>""</f><v></v></c></row>' +
    '<row r="2"><c r="A2"><f t="shared" ref="A2:A3" si="0">B2*$C$1+Rate2*LOG10("B2")</f><v/></c></row><row r="3"><c r="A3"><f t="shared" si="0"/></c></row>';
  const { text, notes } = await reading("xlsx", workbook({ sheet }));
  expect(text).toBe('## Sheet 1: S\n1\t=SUM(B1:B3)\t2\n2\t=B2*$C$1+Rate2*LOG10("B2")\n3\t=B3*$C$1+Rate2*LOG10("B2")');
  expect(notes).toEqual(["3 formulas have no calculated value in the file and are shown as =…."]);
  expect((await reading("xlsx", workbook({ sheet }), { formulas: true })).text).toContain("\t2 (=1+1)");
});

test("a zero that a program stores instead of calculating is shown with its formula", async () => {
  const sheet = '<row r="1"><c r="A1"><f>B1*2</f><v>0</v></c></row>';
  expect((await reading("xlsx", workbook({ sheet, calculation: '<calcPr fullCalcOnLoad="1"/>' }))).text).toContain("1\t=B1*2 (stored: 0)");
  expect((await reading("xlsx", workbook({ sheet }))).text).toContain("1\t0");
});

test("hidden sheets, rows and columns, merged cells and texts of shapes are named", async () => {
  const first =
    '<worksheet><cols><col min="3" max="4" hidden="1"/></cols><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>a_x000D_\nb_x005F_c</t></is></c></row><row r="2" hidden="1"><c r="A2"><v>2</v></c></row></sheetData><mergeCells><mergeCell ref="A1:B1"/></mergeCells></worksheet>';
  const more = {
    "xl/workbook.xml":
      '<workbook><sheets><sheet name="S" r:id="r1"/><sheet name="Notes" state="veryHidden" r:id="r2"/></sheets></workbook>',
    "xl/worksheets/sheet2.xml": '<x:worksheet><x:sheetData/><x:mergeCells><x:mergeCell ref="B2:B9"/></x:mergeCells></x:worksheet>',
    "xl/worksheets/_rels/sheet1.xml.rels":
      '<Relationships><Relationship Id="r1" Type="x/drawing" Target="../drawings/drawing1.xml"/></Relationships>',
    "xl/drawings/drawing1.xml":
      "<d><pic/><pic/><graphicFrame><c:chart/></graphicFrame><sp><txBody><a:p><a:r><a:t>Draft,</a:t></a:r></a:p><a:p><a:r><a:t>do not send</a:t></a:r></a:p></txBody></sp></d>",
  };
  const { text, notes } = await reading("xlsx", workbook({ sheet: first, more }));
  expect(text).toBe(
    "## Sheet 1: S\nMerged cells: A1:B1\nText box: Draft, do not send\nHidden columns: C-D\n1\ta b_c\n2 (hidden)\t2\n\n## Sheet 2: Notes (hidden)\nMerged cells: B2:B9",
  );
  expect(notes).toEqual(["Left out of sheet S: 2 pictures, 1 chart."]);
  const visible = await reading("xlsx", workbook({ sheet: first, more }), { sheets: ["S"] });
  expect(visible.notes).toContain("Hidden sheets that were not asked for: Notes.");
});

test("notes, comments and targets of links stand beside their cells, also where the cell is empty", async () => {
  const sheet =
    '<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>price</t></is></c><c r="B1" t="inlineStr"><is><t>site</t></is></c><c r="C1" t="str"><f>HYPERLINK("https://c.example","see")</f><v>see</v></c></row></sheetData><hyperlinks><hyperlink ref="B1" r:id="h1"/><hyperlink ref="A2" location="S!A1"/></hyperlinks></worksheet>';
  const more = {
    "xl/worksheets/_rels/sheet1.xml.rels":
      '<Relationships><Relationship Id="h1" Type="x/hyperlink" TargetMode="External" Target="https://b.example/?a=1&amp;b=2"/><Relationship Id="c1" Type="x/comments" Target="../comments1.xml"/><Relationship Id="c2" Type="x/threadedComment" Target="../threadedComments/t1.xml"/></Relationships>',
    "xl/comments1.xml":
      '<comments><authors><author>Ann</author></authors><commentList><comment ref="A1" authorId="0"><text><r><t>Ann:</t></r><r><t>\nnet of tax</t></r></text></comment><comment ref="D9" authorId="0"><text><t>copy of a thread</t></text></comment></commentList></comments>',
    "xl/threadedComments/t1.xml":
      '<T><threadedComment ref="D9" personId="{1}"><text>Who signs?</text></threadedComment><threadedComment ref="D9" personId="{2}"><text>Bob</text></threadedComment></T>',
    "xl/persons/person.xml": '<p><person id="{1}" displayName="Bo Li"/><person id="{2}" displayName="Cy"/></p>',
  };
  const { text } = await reading("xlsx", workbook({ sheet, more }));
  expect(text).toBe(
    "## Sheet 1: S\n1\tprice [note by Ann: net of tax]\tsite <https://b.example/?a=1&b=2>\tsee <https://c.example>\n2\t<#S!A1>\n9\t\t\t\t[comment by Bo Li: Who signs?] [comment by Cy: Bob]",
  );
});

test("an OpenDocument workbook names the same things", async () => {
  const cell = (attributes: string, text = "") => `<table:table-cell ${attributes}>${text}</table:table-cell>`;
  const content = `<x><style:style style:name="h"><style:table-properties table:display="false"/></style:style><table:table table:name="A"><table:table-column/><table:table-column table:visibility="collapse"/>
<table:table-row>${cell('office:value-type="float" office:value="1067"', "<text:p>01067</text:p>")}${cell('office:value-type="percentage" office:value="0.125"', "<text:p>13 %</text:p>")}${cell('table:formula="of:=[.A1]*SUM([.B1:.B2])"')}</table:table-row>
<table:table-row table:visibility="collapse">${cell('table:number-columns-spanned="2"', '<office:annotation><dc:creator>Ann</dc:creator><text:p>why?</text:p></office:annotation><text:p><text:a xlink:href="https://a.example">site</text:a></text:p>')}</table:table-row>
</table:table><table:table table:name="B" table:style-name="h"><table:table-row>${cell('office:value-type="time"', "<text:p>30:15</text:p>")}</table:table-row></table:table></x>`;
  const { text, notes } = await reading("ods", zipSync({ "content.xml": strToU8(content) }));
  expect(text).toBe(
    "## Sheet 1: A\nMerged cells: A2:B2\nHidden columns: B\n1\t01067\t13 % (0.125)\t=A1*SUM(B1:B2)\n2 (hidden)\tsite <https://a.example> [note by Ann: why?]\n\n## Sheet 2: B (hidden)\n1\t30:15",
  );
  expect(notes).toEqual(["1 formula has no calculated value in the file and is shown as =…."]);
});

test("an encrypted OpenDocument file is said to have a password", async () => {
  const manifest = "<m><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></m>";
  const bytes = zipSync({ "META-INF/manifest.xml": strToU8(manifest), "content.xml": new Uint8Array([1, 2, 3]) });
  await expect(reading("ods", bytes)).rejects.toThrow("encrypted with a password");
});

test("a rendered workbook has dates that sort, and columns as wide as their texts", async () => {
  const markdown =
    "# Plan\n\n| When | At | What |\n|---|---|---|\n| 2025-04-14 | 2025-04-14 09:30 | x |\n| 1899-01-01 | 2025-02-30 | y |\n\n# Words\n\nA sentence that is longer than a column of the default width.\n";
  const task = {
    work: "render" as const,
    format: "xlsx" as const,
    markdown,
    images: {},
    pageSize: "A4" as const,
    aspectRatio: "16:9" as const,
    cover: false,
    contents: false,
  };
  const { bytes } = await render(task);
  const sheets = unzipSync(bytes);
  const first = strFromU8(sheets["xl/worksheets/sheet1.xml"] ?? new Uint8Array());
  expect(first).toContain("<v>45761</v>");
  expect((await reading("xlsx", bytes)).text).toContain("2\t2025-04-14\t2025-04-14 09:30:00\tx\n3\t1899-01-01\t2025-02-30\ty");
  const words = strFromU8(sheets["xl/worksheets/sheet2.xml"] ?? new Uint8Array());
  expect(Number(/<col [^>]*width="([\d.]+)"/.exec(words)?.[1])).toBeGreaterThan(50);
});
