import { describe, expect, test } from "vitest";
import { paragraph, reading, run, wordFile } from "../../testing/office-file.ts";

const textOf = async (bytes: Uint8Array, more = {}) => (await reading("docx", bytes, more)).text;

describe("tracked changes", () => {
  const deleted = (text: string) => `<w:del w:id="1" w:author="Ann"><w:r><w:delText>${text}</w:delText></w:r></w:del>`;
  const inserted = (text: string) => `<w:ins w:id="2" w:author="Bob">${run(text)}</w:ins>`;
  const price = wordFile(paragraph(`${run("The price is ")}${deleted("100")}${inserted("120")}${run(" euros.")}`));

  test.each([
    ["accepted", "The price is 120 euros.", "shown as accepted"],
    ["original", "The price is 100 euros.", "shown as rejected"],
    ["marked", "The price is {--100--}{++120++} euros.", "{++added++}, {--removed--}"],
  ] as const)("%s: %s", async (changes, text, how) => {
    const read = await reading("docx", price, { changes });
    expect(read.text).toBe(text);
    expect(read.notes).toEqual([expect.stringMatching(/^2 tracked changes by Ann, Bob /)]);
    expect(read.notes[0]).toContain(how);
  });

  test.each([
    [
      "in another paragraph",
      `<w:moveFrom w:id="1">${run("A clause. ")}</w:moveFrom>`,
      `<w:moveTo w:id="2">${run("A clause. ")}</w:moveTo>`,
    ],
    [
      "in two pieces",
      `<w:moveFrom w:id="1">${run("A clau")}${run("se. ")}</w:moveFrom>`,
      `<w:moveTo w:id="2">${run("A clause. ")}</w:moveTo>`,
    ],
    [
      "moved and then edited",
      `<w:moveFrom w:id="1">${run("A clause. ")}</w:moveFrom>`,
      `<w:moveTo w:id="2">${run("A clause")}</w:moveTo>${inserted(". ")}`,
    ],
  ])("text that was moved %s stands once", async (_name, from, to) => {
    const bytes = wordFile(paragraph(from + run("First.")) + paragraph(run("Second. ") + to));
    expect(await textOf(bytes)).toBe("First.\n\nSecond. A clause.");
    expect(await textOf(bytes, { changes: "original" })).toBe("A clause. First.\n\nSecond.");
  });

  const row = (text: string, change = "") => `<w:tr>${change ? `<w:trPr>${change}</w:trPr>` : ""}<w:tc>${paragraph(text)}</w:tc></w:tr>`;
  test("a deleted row is gone, and its text with it", async () => {
    const gone = row(deleted("Gone"), '<w:del w:id="1" w:author="Ann"/>');
    const bytes = wordFile(`<w:tbl>${row(run("Head"))}${gone}${row(run("Kept"))}</w:tbl>`);
    expect(await textOf(bytes)).toBe("| Head |\n| --- |\n| Kept |");
    expect(await textOf(bytes, { changes: "original" })).toBe("| Head |\n| --- |\n| Gone |\n| Kept |");
  });

  test("a paragraph whose end was deleted runs on into the next", async () => {
    const mark = '<w:rPr><w:del w:id="1" w:author="Ann"/></w:rPr>';
    expect(await textOf(wordFile(paragraph(run("One "), mark) + paragraph(run("and two."))))).toBe("One and two.");
  });

  test("a format before its change does not count", async () => {
    const before = '<w:b/><w:rPrChange w:id="1" w:author="Ann"><w:rPr><w:vertAlign w:val="superscript"/><w:vanish/></w:rPr></w:rPrChange>';
    const read = await reading("docx", wordFile(paragraph(run("Plain", before))));
    expect(read).toMatchObject({ text: "Plain", notes: [expect.stringContaining("1 tracked change of format")] });
  });
});

describe("notes, comments and sides", () => {
  const reference = (kind: string, id: number, more = "") => `<w:r><w:${kind}Reference w:id="${id}" ${more}/></w:r>`;
  const note = (kind: string, id: number, text: string) =>
    `<w:${kind} w:id="${id}">${paragraph(`<w:r><w:${kind}Ref/></w:r>${run(text)}`)}</w:${kind}>`;

  test("footnotes and endnotes have the marks of their references, in the order of the text", async () => {
    const body = paragraph(
      run("A") + reference("footnote", 7) + run(" B") + reference("endnote", 3) + run(" C") + reference("footnote", 5),
    );
    const separator = `<w:footnote w:type="separator" w:id="-1">${paragraph(run("no"))}</w:footnote>`;
    const parts = {
      footnotes: separator + note("footnote", 5, "five") + note("footnote", 7, "seven"),
      endnotes: note("endnote", 3, "three"),
    };
    expect(await textOf(wordFile(body, parts))).toBe("A[^1] B[^i] C[^2]\n\n[^1]: seven\n\n[^2]: five\n\n[^i]: three");
  });

  test("a footnote of the writer's own mark keeps it", async () => {
    const own =
      '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="2" w:customMarkFollows="1"/><w:t>*</w:t></w:r>';
    expect(await textOf(wordFile(paragraph(run("Price") + own), { footnotes: note("footnote", 2, "net") }))).toBe("Price[^*]\n\n[^*]: net");
  });

  test("comments stand at their place, with author, day, answers and state", async () => {
    const comment = (id: number, text: string, paraId: string) =>
      `<w:comment w:id="${id}" w:author="Ann" w:date="2026-03-01T10:00:00Z"><w:p w14:paraId="${paraId}">${run(text)}</w:p></w:comment>`;
    const body = paragraph(run("Limit") + reference("comment", 4) + reference("comment", 9) + run(" holds."));
    const parts = {
      comments: comment(4, "Why?", "A1") + comment(9, "Law.", "A2"),
      commentsExtended: '<w15:commentEx w15:paraId="A1" w15:done="1"/><w15:commentEx w15:paraId="A2" w15:paraIdParent="A1" w15:done="0"/>',
    };
    const text = await textOf(wordFile(body, parts, { c: ["commentsExtended", "commentsExtended.xml"] }));
    expect(text).toBe(
      "Limit[comment 1][comment 2] holds.\n\nComments:\n[comment 1] Ann, 2026-03-01, resolved: Why?\n[comment 2] Ann, 2026-03-01, answers comment 1: Law.",
    );
  });

  test("headers and footers stand once; a page's number alone is no text", async () => {
    const section =
      '<w:sectPr><w:headerReference w:type="default" r:id="h"/><w:headerReference w:type="first" r:id="i"/><w:footerReference r:id="f"/></w:sectPr>';
    const bytes = wordFile(
      paragraph(run("Body"), section) + section,
      { header1: paragraph(run("Confidential")), header2: paragraph(run("Confidential")), footer1: paragraph(run("12")) },
      { h: ["header", "header1.xml"], i: ["header", "header2.xml"], f: ["footer", "footer1.xml"] },
    );
    expect(await textOf(bytes)).toBe("Body\n\nHeader: Confidential");
  });
});

describe("signs with a meaning", () => {
  const rise = (to: string) => `<w:vertAlign w:val="${to}"/>`;
  test.each([
    ["10^6^ cells", run("10") + run("6", rise("superscript")) + run(" cells")],
    ["H~2~O", run("H") + run("2", rise("subscript")) + run("O")],
    ["x^n+1^", run("x") + run("n", rise("superscript")) + run("+1", rise("superscript"))],
    ["~~old~~ new", run("old", "<w:strike/>") + run(" new")],
    ["kept", run("kept", '<w:strike w:val="0"/>')],
  ])("%s", async (text, body) => {
    expect(await textOf(wordFile(paragraph(body)))).toBe(text);
  });

  test("a raised style is raised, and what it is based on counts", async () => {
    const styles =
      '<w:style w:styleId="Up" w:type="character"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style><w:style w:styleId="Mine"><w:basedOn w:val="Up"/></w:style>';
    expect(await textOf(wordFile(paragraph(run("m") + run("2", '<w:rStyle w:val="Mine"/>')), { styles }))).toBe("m^2^");
  });

  test.each([
    ["of a run", run("secret", "<w:vanish/>"), ""],
    ["of a character style", run("secret", '<w:rStyle w:val="Hid"/>'), ""],
    ["of a paragraph style", "", `${paragraph(run("secret"), '<w:pStyle w:val="Hid"/>')}`],
  ])("hidden text %s is left out and said", async (_name, inside, after) => {
    const styles = '<w:style w:styleId="Hid"><w:rPr><w:vanish/></w:rPr></w:style>';
    const read = await reading("docx", wordFile(paragraph(run("seen") + inside) + after, { styles }));
    expect(read).toMatchObject({ text: "seen", notes: ["Left out: 6 characters of hidden text."] });
  });

  test("boxes and signs of symbol fonts are shown", async () => {
    const sign = (font: string, code: string) => `<w:r><w:sym w:font="${font}" w:char="${code}"/></w:r>`;
    const old = (state: string) =>
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/>${state}</w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const body =
      sign("Wingdings", "F0FE") +
      sign("Wingdings", "F0A8") +
      sign("Symbol", "F0B3") +
      sign("Wingdings", "F0FF") +
      old("<w:checked/>") +
      old("");
    expect(await textOf(wordFile(paragraph(body + run("\uf0fc", '<w:rFonts w:ascii="Wingdings"/>'))))).toBe(
      "☑☐≥[symbol ff of Wingdings]☒☐✓",
    );
  });

  test("links keep their address, pictures their name", async () => {
    const link = `<w:hyperlink r:id="l">${run("the site")}</w:hyperlink>`;
    const field = `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://b.example/" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run("B")}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const picture = '<w:r><w:drawing><wp:docPr name="Picture 1" descr="A red valve"/><a:graphic><pic:pic/></a:graphic></w:drawing></w:r>';
    const read = await reading("docx", wordFile(paragraph(`${link} ${field}${picture}`), {}, { l: ["hyperlink", "https://a.example/"] }));
    expect(read.text).toBe("[the site](https://a.example/)[B](https://b.example/)[Picture: A red valve]");
    expect(read.notes).toEqual(["Left out: 1 picture."]);
  });
});

describe("equations are LaTeX:", () => {
  const r = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
  const part = (name: string, content: string) => `<m:${name}>${content}</m:${name}>`;
  test.each([
    ["$\\frac{a}{b}$", part("f", part("num", r("a")) + part("den", r("b")))],
    [
      "$x^{2}+y_{i}$",
      part("sSup", part("e", r("x")) + part("sup", r("2"))) + r("+") + part("sSub", part("e", r("y")) + part("sub", r("i"))),
    ],
    ["$\\sqrt[3]{x}$", part("rad", part("deg", r("3")) + part("e", r("x")))],
    [
      "$\\sum_{i=1}^{n} i$",
      part("nary", `<m:naryPr><m:chr m:val="∑"/></m:naryPr>${part("sub", r("i=1"))}${part("sup", r("n"))}${part("e", r("i"))}`),
    ],
    ["$\\alpha \\leq \\infty$", r("α≤∞")],
    [
      "$\\begin{pmatrix} 1 & 0 \\\\ 0 & 1 \\end{pmatrix}$",
      part(
        "d",
        part("e", part("m", part("mr", part("e", r("1")) + part("e", r("0"))) + part("mr", part("e", r("0")) + part("e", r("1"))))),
      ),
    ],
  ])("%s", async (latex, math) => {
    expect(await textOf(wordFile(paragraph(`<m:oMath>${math}</m:oMath>`)))).toBe(latex);
  });
});

describe("numbers of lists are as Word shows them", () => {
  const level = (at: number, format: string, text: string, more = "") =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
  const item = (text: string, at: number, list = 1) =>
    paragraph(run(text), `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr>`);
  const numbering = (levels: string, lists = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>') =>
    `<w:abstractNum w:abstractNumId="0">${levels}</w:abstractNum>${lists}`;

  test("clauses of several levels go on after a paragraph between", async () => {
    const levels = level(0, "decimal", "%1.") + level(1, "decimal", "%1.%2") + level(2, "lowerLetter", "(%3)");
    const body =
      item("Scope", 0) +
      item("Goods", 1) +
      item("new", 2) +
      item("used", 2) +
      item("Work", 1) +
      paragraph(run("Between")) +
      item("Price", 0) +
      item("Net", 1);
    expect(await textOf(wordFile(body, { numbering: numbering(levels) }))).toBe(
      "1. Scope\n  1.1 Goods\n    (a) new\n    (b) used\n  1.2 Work\n\nBetween\n2. Price\n  2.1 Net",
    );
  });

  test("a numbering of styles gives headings their numbers", async () => {
    const styles = [1, 2]
      .map(
        (at) =>
          `<w:style w:styleId="H${at}" w:type="paragraph"><w:name w:val="heading ${at}"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>`,
      )
      .join("");
    const levels = level(0, "upperRoman", "%1.", '<w:pStyle w:val="H1"/>') + level(1, "decimal", "§ %2", '<w:pStyle w:val="H2"/>');
    const heading = (text: string, at: number) => paragraph(run(text), `<w:pStyle w:val="H${at}"/>`);
    const body = heading("Scope", 1) + heading("Goods", 2) + heading("Price", 1) + heading("Net", 2);
    expect(await textOf(wordFile(body, { numbering: numbering(levels), styles }))).toBe(
      "# I. Scope\n\n## § 1 Goods\n\n# II. Price\n\n## § 1 Net",
    );
  });

  test("two lists of one definition count on, unless one begins anew", async () => {
    const lists =
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>';
    const body = item("a", 0, 1) + item("b", 0, 2) + item("c", 0, 3) + item("d", 0, 3);
    expect(await textOf(wordFile(body, { numbering: numbering(level(0, "decimal", "%1)"), lists) }))).toBe("1) a\n2) b\n5) c\n6) d");
  });

  test("bullets and numbers stand in cells, too", async () => {
    const cells = `<w:tc>${item("a", 0)}</w:tc><w:tc>${item("b", 1)}</w:tc>`;
    const levels = level(0, "decimal", "%1.") + level(1, "bullet", "\uf0b7");
    expect(await textOf(wordFile(`<w:tbl><w:tr>${cells}</w:tr></w:tbl>`, { numbering: numbering(levels) }))).toContain("| 1. a | - b |");
  });
});

describe("merged cells do not shift the row", () => {
  const cell = (text: string, properties = "") => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text ? run(text) : "")}</w:tc>`;
  test.each([
    ["beside each other", `<w:tr>${cell("A", '<w:gridSpan w:val="2"/>')}${cell("B")}</w:tr>`, "| A |  | B |"],
    ["below each other", `<w:tr>${cell("", "<w:vMerge/>")}${cell("A")}${cell("B")}</w:tr>`, "|  | A | B |"],
    ["before the row", `<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell("A")}${cell("B")}</w:tr>`, "|  | A | B |"],
  ])("%s", async (_name, row, line) => {
    const head = `<w:tr>${cell("1")}${cell("2")}${cell("3")}</w:tr>`;
    expect(await textOf(wordFile(`<w:tbl>${head}${row}</w:tbl>`))).toBe(`| 1 | 2 | 3 |\n| --- | --- | --- |\n${line}`);
  });
});

test("a document of another writer's prefixes is read alike", async () => {
  const body = paragraph(run("10") + run("6", '<w:vertAlign w:val="superscript"/>'));
  const bytes = wordFile(body);
  const { strFromU8, strToU8, unzipSync, zipSync } = await import("fflate");
  const parts = unzipSync(bytes);
  const xml = strFromU8(parts["word/document.xml"] ?? new Uint8Array())
    .replaceAll("<w:", "<ns0:")
    .replaceAll("</w:", "</ns0:")
    .replaceAll(" w:", " ns0:");
  expect(await textOf(zipSync({ ...parts, "word/document.xml": strToU8(xml.replace("xmlns:w=", "xmlns:ns0=")) }))).toBe("10^6^");
});
