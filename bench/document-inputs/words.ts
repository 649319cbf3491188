import { paragraph, run, wordFile } from "../../server/families/documents/program/testing/office-file";
import { type Input, inputs } from "./input";

const change = (kind: string, content: string, id = 1) =>
  `<w:${kind} w:id="${id}" w:author="Kim" w:date="2026-02-01T00:00:00Z">${content}</w:${kind}>`;
const removed = (text: string) => change("del", `<w:r><w:delText xml:space="preserve">${text}</w:delText></w:r>`);
const rise = (to: string) => `<w:vertAlign w:val="${to}"/>`;
const math = (content: string) => paragraph(`<m:oMathPara><m:oMath>${content}</m:oMath></m:oMathPara>`);
const r = (text: string) => `<m:r><w:rPr/><m:t>${text}</m:t></m:r>`;
const part = (name: string, content: string) => `<m:${name}>${content}</m:${name}>`;
const level = (at: number, format: string, text: string, start = 1) =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
const numbering = (...levels: string[]) =>
  `<w:abstractNum w:abstractNumId="3">${levels.join("")}</w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num>`;
const item = (text: string, at = 0) => paragraph(run(text), `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="7"/></w:numPr>`);
const mark = (kind: string, id: number) => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
const note = (kind: string, id: number, text: string) => `<w:${kind} w:id="${id}">${paragraph(run(text))}</w:${kind}>`;
const cell = (content: string, properties = "") => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;

export const words: Input[] = [
  ...inputs("moved and changed text", "docx", [
    {
      file: () =>
        wordFile(
          paragraph(run("Intro.")) +
            paragraph(change("moveFrom", run("The buyer pays."))) +
            paragraph(change("moveTo", run("The buyer pays."), 2)),
        ),
      must: [/^(?!.*The buyer pays\.[\s\S]*The buyer pays\.)/s, "The buyer pays."],
    },
    {
      file: () => wordFile(paragraph(run("Within ") + removed("30") + change("ins", run("14")) + run(" days."))),
      must: ["Within 14 days.", "Kim"],
      mustNot: [/3014|1430|30 days/],
    },
    {
      file: () =>
        wordFile(paragraph(run("Net ") + change("ins", change("del", "<w:r><w:delText>never</w:delText></w:r>", 3), 2) + run("price"))),
      must: ["Net price"],
      mustNot: ["never"],
    },
    { file: () => wordFile(paragraph(run("a") + removed(" b") + run(" c"))), options: { changes: "original" }, must: ["a b c"] },
    {
      file: () =>
        wordFile(
          `<w:tbl><w:tr>${cell(paragraph(run("Item")))}${cell(paragraph(run("Sum")))}</w:tr><w:tr>${cell(paragraph(run("Old")))}${cell(paragraph(removed("70") + change("ins", run("80"))))}</w:tr></w:tbl>`,
        ),
      must: ["| Old | 80 |"],
    },
  ]),
  ...inputs("hidden text of Word", "docx", [
    { file: () => wordFile(paragraph(run("shown") + run("inner", "<w:vanish/>"))), must: ["shown", "hidden text"], mustNot: ["inner"] },
    { file: () => wordFile(paragraph(run("shown") + run("kept", '<w:vanish w:val="false"/>'))), must: ["kept"] },
    {
      file: () => wordFile(`<w:tbl><w:tr>${cell(paragraph(run("cell") + run("ghost", "<w:vanish/>")))}</w:tr></w:tbl>`),
      must: ["cell", "hidden text"],
      mustNot: ["ghost"],
    },
    {
      file: () =>
        wordFile(paragraph(run("ghost", '<w:rStyle w:val="B"/>') + run("shown")), {
          styles: '<w:style w:styleId="A"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="B"><w:basedOn w:val="A"/></w:style>',
        }),
      must: ["shown", "hidden text"],
      mustNot: ["ghost"],
    },
  ]),
  ...inputs("notes, comments, headers", "docx", [
    {
      file: () => wordFile(paragraph(run("Claim") + mark("endnote", 2)), { endnotes: note("endnote", 2, "Source: report 9") }),
      must: ["Source: report 9", "Claim[^i]"],
    },
    {
      file: () => wordFile(paragraph(run("Fee") + mark("footnote", 2)), { footnotes: note("footnote", 2, "without tax") }),
      must: ["without tax", "Fee[^1]"],
    },
    {
      file: () =>
        wordFile(paragraph(run("Cap") + mark("comment", 0)), {
          comments: `<w:comment w:id="0" w:author="Lee">${paragraph(run("too low"))}</w:comment>`,
        }),
      must: ["too low", "Lee"],
    },
    {
      file: () =>
        wordFile(
          paragraph(run("Body")) +
            '<w:sectPr><w:headerReference w:type="default" r:id="h"/><w:footerReference w:type="even" r:id="f"/></w:sectPr>',
          { header5: paragraph(run("Draft 3")), footer2: paragraph(run("Acme GmbH")) },
          { h: ["header", "header5.xml"], f: ["footer", "footer2.xml"] },
        ),
      must: ["Draft 3", "Acme GmbH"],
    },
    {
      file: () =>
        wordFile(`<w:tbl><w:tr>${cell(paragraph(run("9%") + mark("footnote", 4)))}</w:tr></w:tbl>`, {
          footnotes: note("footnote", 4, "per year"),
        }),
      must: ["9%[^1]", "per year"],
    },
  ]),
  ...inputs("superscript and subscript", "docx", [
    { file: () => wordFile(paragraph(run("10") + run("6", rise("superscript")))), must: ["10^6^"], mustNot: ["106"] },
    { file: () => wordFile(paragraph(run("CO") + run("2", rise("subscript")))), must: ["CO~2~"] },
    { file: () => wordFile(paragraph(run("5 m") + run("3", '<w:position w:val="12"/>'))), must: [/m\^3\^|m3/] },
    { file: () => wordFile(paragraph(run("1") + run("st", rise("superscript")) + run(" of May"))), must: ["1^st^ of May"] },
    {
      file: () => wordFile(`<w:tbl><w:tr>${cell(paragraph(run("10") + run("-3", rise("superscript"))))}</w:tr></w:tbl>`),
      must: ["10^-3^"],
    },
  ]),
  ...inputs("equations", "docx", [
    { file: () => wordFile(math(part("f", part("num", r("1")) + part("den", r("2"))))), must: ["\\frac{1}{2}"] },
    { file: () => wordFile(math(part("sSup", part("e", r("e")) + part("sup", r("iπ"))))), must: [/e\^\{i\s?\\pi\s?\}/] },
    {
      file: () => wordFile(math(part("rad", `<m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${part("e", r("2"))}`))),
      must: ["\\sqrt{2}"],
    },
    {
      file: () =>
        wordFile(
          math(part("nary", `<m:naryPr><m:chr m:val="∫"/></m:naryPr>${part("sub", r("0"))}${part("sup", r("1"))}${part("e", r("x"))}`)),
        ),
      must: ["\\int_{0}^{1}"],
    },
    { file: () => wordFile(math(part("func", part("fName", r("sin")) + part("e", r("x"))))), must: [/\\sin|sin/, "x"] },
    {
      file: () => wordFile(math(part("sSubSup", part("e", r("a")) + part("sub", r("n")) + part("sup", r("2"))))),
      must: [/a_\{n\}\^\{2\}/],
    },
  ]),
  ...inputs("clause numbers", "docx", [
    {
      file: () =>
        wordFile(item("Scope") + item("Goods", 1) + item("Price"), {
          numbering: numbering(level(0, "decimal", "%1."), level(1, "decimal", "%1.%2.")),
        }),
      must: ["1. Scope", "1.1. Goods", "2. Price"],
    },
    { file: () => wordFile(item("x") + item("y"), { numbering: numbering(level(0, "lowerLetter", "(%1)", 3)) }), must: ["(c) x", "(d) y"] },
    {
      file: () => wordFile(item("x") + item("y"), { numbering: numbering(level(0, "upperRoman", "Art. %1")) }),
      must: ["Art. I x", "Art. II y"],
    },
    {
      file: () =>
        wordFile(item("x") + item("y", 1) + item("z", 2), {
          numbering: numbering(level(0, "decimal", "%1"), level(1, "decimal", "%1.%2"), level(2, "decimal", "%1.%2.%3")),
        }),
      must: ["1.1.1 z"],
    },
    { file: () => wordFile(item("x") + item("y"), { numbering: numbering(level(0, "decimalZero", "§%1")) }), must: ["§01 x", "§02 y"] },
  ]),
  ...inputs("merged cells", "docx", [
    {
      file: () =>
        wordFile(
          `<w:tbl><w:tr>${cell(paragraph(run("A")))}${cell(paragraph(run("B")))}${cell(paragraph(run("C")))}</w:tr><w:tr>${cell(paragraph(run("1")), '<w:gridSpan w:val="2"/>')}${cell(paragraph(run("3")))}</w:tr></w:tbl>`,
        ),
      must: ["| 1 |  | 3 |"],
    },
    {
      file: () =>
        wordFile(
          `<w:tbl><w:tr>${cell(paragraph(run("A")), '<w:vMerge w:val="restart"/>')}${cell(paragraph(run("B")))}</w:tr><w:tr>${cell(paragraph(""), "<w:vMerge/>")}${cell(paragraph(run("2")))}</w:tr></w:tbl>`,
        ),
      must: ["|  | 2 |"],
    },
    {
      file: () =>
        wordFile(
          `<w:tbl><w:tr>${cell(paragraph(run("A")))}${cell(paragraph(run("B")))}</w:tr><w:tr>${cell(paragraph(""))}${cell(paragraph(run("only B")))}</w:tr></w:tbl>`,
        ),
      must: ["|  | only B |"],
    },
  ]),
];
