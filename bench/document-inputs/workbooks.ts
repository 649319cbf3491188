import { packed } from "../../server/families/documents/program/testing/office-file";
import { type Input, inputs } from "./input";

type Parts = { formats?: readonly (string | number)[]; sheet?: string; workbook?: string; more?: Record<string, string> };

/** A workbook; a style n of a cell has the n-th format, a built-in number or a pattern. */
function workbook({ formats = [], sheet = "", workbook: names = '<sheet name="S" sheetId="1" r:id="r1"/>', more = {} }: Parts): Uint8Array {
  const patterns = formats.map((format, at) => `<numFmt numFmtId="${300 + at}" formatCode="${String(format).replaceAll('"', "&quot;")}"/>`);
  const ids = formats.map((format, at) => `<xf numFmtId="${typeof format === "number" ? format : 300 + at}"/>`);
  return packed({
    "xl/workbook.xml": `<workbook><sheets>${names}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="x/worksheet" Target="worksheets/sheet2.xml"/></Relationships>',
    "xl/styles.xml": `<styleSheet><numFmts>${patterns.join("")}</numFmts><cellXfs><xf/>${ids.join("")}</cellXfs></styleSheet>`,
    "xl/worksheets/sheet1.xml": sheet.startsWith("<worksheet") ? sheet : `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    ...more,
  });
}

const formatted = (format: string | number, value: number) => () =>
  workbook({ formats: [format], sheet: `<row r="1"><c r="A1" s="1"><v>${value}</v></c></row>` });
const shows = (format: string | number, value: number, ...must: (string | RegExp)[]) => ({ file: formatted(format, value), must });
const row = (content: string, more = "") => `<row r="1" ${more}>${content}</row>`;
const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;

export const workbooks: Input[] = [
  ...inputs("East Asian dates", "xlsx", [
    shows(27, 45_761, "2025-04-14"),
    shows(30, 45_761, "2025-04-14"),
    shows(31, 45_761, "2025-04-14"),
    shows(50, 45_761, "2025-04-14"),
    shows(57, 45_761, "2025-04-14"),
    shows('yyyy"年"m"月"d"日"', 45_761, "2025-04-14"),
    shows("[$-804]yyyy年m月d日 aaaa", 45_761, "2025-04-14"),
    shows('[$-412]yyyy"년" m"월" d"일"', 45_761, "2025-04-14"),
  ]),
  ...inputs("dates and durations", "xlsx", [
    shows("[h]:mm:ss", 30.25 / 24, "30:15"),
    shows("[$-407]d. mmm yyyy", 45_761, "2025-04-14"),
    shows("mm/dd/yy", 45_761, "2025-04-14"),
    shows("[m]", 0.125, /180/),
    shows(20, 0.5, "12:00"),
    shows("[Red]dd/mm/yyyy;@", 45_761, "2025-04-14"),
  ]),
  ...inputs("formulas without a value", "xlsx", [
    {
      file: () => workbook({ sheet: row('<c r="A1"><f>SUM(B1:C1)</f></c><c r="B1"><v>2</v></c>') }),
      must: ["=SUM(B1:C1)", "no calculated value"],
    },
    { file: () => workbook({ sheet: row('<c r="A1"><f>IF(B1&gt;1,"yes","no")</f><v></v></c>') }), must: ['=IF(B1>1,"yes","no")'] },
    { file: () => workbook({ sheet: row('<c r="A1"><f t="array" ref="A1:A2">B1:B2*2</f></c>') }), must: ["=B1:B2*2"] },
    { file: () => workbook({ sheet: row('<c r="A1"><f>1+1</f><v>2</v></c>') }), options: { formulas: true }, must: ["2 (=1+1)"] },
  ]),
  ...inputs("formats with a meaning", "xlsx", [
    shows("00000", 1_010, "01010"),
    shows("0%", 0.19, "19%"),
    shows("#,##0.00 [$€-407]", 1_234.5, /1[.,]234[.,]50\s?€/),
    shows('"$"#,##0', 1_500, "$1,500"),
    shows("0.00E+00", 1_230_000, /1\.23E\+0?6|1230000/),
    shows("000-00-0000", 123_456_789, "123-45-6789"),
    shows('0" kg"', 12, "12 kg"),
    shows("#,##0;(#,##0)", -1_500, /\(1,500\)|-1,?500/),
  ]),
  ...inputs("hidden sheets, rows, columns", "xlsx", [
    {
      file: () =>
        workbook({
          workbook: '<sheet name="Open" sheetId="1" r:id="r1"/><sheet name="Secret" sheetId="2" state="hidden" r:id="r2"/>',
          sheet: row(text("A1", "a")),
          more: { "xl/worksheets/sheet2.xml": `<worksheet><sheetData>${row(text("A1", "b"))}</sheetData></worksheet>` },
        }),
      must: [/Secret \(hidden\)/],
    },
    { file: () => workbook({ sheet: row(text("A1", "a"), 'hidden="1"') }), must: [/1 \(hidden\)/] },
    {
      file: () =>
        workbook({
          sheet: `<worksheet><cols><col min="2" max="2" hidden="true"/></cols><sheetData>${row(text("A1", "a") + text("B1", "b"))}</sheetData></worksheet>`,
        }),
      must: [/[Hh]idden columns?: B/],
    },
    {
      file: () => workbook({ workbook: '<sheet name="V" sheetId="1" state="veryHidden" r:id="r1"/>', sheet: row(text("A1", "a")) }),
      must: [/V \(hidden\)/],
    },
    {
      file: () =>
        workbook({ sheet: `<worksheet><sheetFormatPr zeroHeight="1"/><sheetData>${row(text("A1", "a"))}</sheetData></worksheet>` }),
      must: [/a/],
    },
  ]),
  ...inputs("cells with more than a value", "xlsx", [
    { file: () => workbook({ sheet: row(text("A1", "a_x000D_b")) }), must: [/a\s?b/], mustNot: ["_x000D_"] },
    {
      file: () =>
        workbook({
          sheet: `<worksheet><sheetData>${row(text("A1", "x"))}</sheetData><mergeCells><mergeCell ref="A1:C1"/></mergeCells></worksheet>`,
        }),
      must: ["A1:C1"],
    },
    { file: () => workbook({ sheet: row('<c r="A1" t="e"><v>#DIV/0!</v></c><c r="B1" t="b"><v>1</v></c>') }), must: ["#DIV/0!", /TRUE/i] },
    {
      file: () =>
        workbook({
          sheet: `<worksheet><sheetData>${row(text("A1", "x"))}</sheetData></worksheet>`,
          more: {
            "xl/worksheets/_rels/sheet1.xml.rels":
              '<Relationships><Relationship Id="c" Type="x/comments" Target="../comments1.xml"/></Relationships>',
            "xl/comments1.xml":
              '<comments><authors><author>Pia</author></authors><commentList><comment ref="A1" authorId="0"><text><t>check</t></text></comment></commentList></comments>',
          },
        }),
      must: ["check", "Pia"],
    },
  ]),
];
