import { describe, expect, test } from "vitest";
import { reading, shape, slideFile } from "../../testing/office-file.ts";

const textOf = async (...given: Parameters<typeof slideFile>) => (await reading("pptx", slideFile(...given))).text;
const item = (text: string, properties = "") => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;

test("titles are headings, and lists have their signs and numbers", async () => {
  const numbered = '<a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr>';
  const shapes =
    shape(["Plan"], "title") +
    shape(["one", item("nested", '<a:pPr lvl="1"/>'), item("plain", "<a:pPr><a:buNone/></a:pPr>")], "body") +
    shape([item("first", numbered), item("second", numbered)]) +
    shape(["free text"]);
  expect(await textOf([{ shapes }])).toBe("## Slide 1\n\n### Plan\n- one\n  - nested\n\nplain\n1. first\n2. second\n\nfree text");
});

describe("a chart is a table", () => {
  const points = (values: readonly string[]) =>
    `<c:strCache>${values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join("")}</c:strCache>`;
  const series = (name: string, categories: readonly string[], values: readonly string[], kind = ["cat", "val"]) =>
    `<c:ser><c:tx><c:strRef>${points([name])}</c:strRef></c:tx><c:${kind[0]}><c:strRef>${points(categories)}</c:strRef></c:${kind[0]}><c:${kind[1]}><c:numRef>${points(values)}</c:numRef></c:${kind[1]}></c:ser>`;
  const title = "<c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title>";
  const slide = {
    shapes: '<p:graphicFrame><c:chart r:id="c"/></p:graphicFrame>',
    related: { c: ["chart", "../charts/chart1.xml"] as const },
  };
  const chart = (plot: string) => ({
    "ppt/charts/chart1.xml": `<c:chartSpace><c:chart>${title}<c:plotArea>${plot}</c:plotArea></c:chart></c:chartSpace>`,
  });

  test.each([
    [
      "of bars",
      `<c:barChart>${series("2025", ["Q1", "Q2"], ["5", "7"])}${series("2026", ["Q1", "Q2"], ["6", "8"])}</c:barChart>`,
      "|  | 2025 | 2026 |\n| --- | --- | --- |\n| Q1 | 5 | 6 |\n| Q2 | 7 | 8 |",
    ],
    ["with a gap", `<c:lineChart>${series("A", ["x", "y"], ["1"])}</c:lineChart>`, "|  | A |\n| --- | --- |\n| x | 1 |\n| y |  |"],
    [
      "of points",
      `<c:scatterChart>${series("A", ["1.5"], ["3"], ["xVal", "yVal"])}</c:scatterChart>`,
      "|  | A |\n| --- | --- |\n| 1.5 | 3 |",
    ],
  ])("%s", async (_name, plot, table) => {
    const text = await textOf([slide], chart(plot));
    expect(text).toContain("[Chart: Sales");
    expect(text).toContain(table);
  });
});

test("a diagram is a list, nested as it hangs together", async () => {
  const point = (id: string, text: string, type = "node") =>
    `<dgm:pt modelId="${id}" type="${type}"><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`;
  const line = (from: string, to: string, order: number) => `<dgm:cxn srcId="${from}" destId="${to}" srcOrd="${order}"/>`;
  const data = `<dgm:dataModel>${point("0", "", "doc")}${point("1", "Lead")}${point("2", "Team")}${point("3", "Board")}${point("9", "no", "pres")}${line("0", "3", 0)}${line("0", "1", 1)}${line("1", "2", 0)}</dgm:dataModel>`;
  const slide = {
    shapes: '<p:graphicFrame><dgm:relIds r:dm="d"/></p:graphicFrame>',
    related: { d: ["diagramData", "../diagrams/data1.xml"] as const },
  };
  expect(await textOf([slide], { "ppt/diagrams/data1.xml": data })).toContain("[Diagram]\n- Board\n- Lead\n  - Team");
});

test("hidden slides are marked, notes stand only where there are any", async () => {
  const notes = (text: string) =>
    `<p:notes><p:cSld><p:spTree>${shape([text], "body")}${shape(["7"], "sldNum")}</p:spTree></p:cSld></p:notes>`;
  const related = (at: number) => ({ n: ["notesSlide", `../notesSlides/notesSlide${at}.xml`] as const });
  const read = await reading(
    "pptx",
    slideFile(
      [
        { shapes: shape(["A"]), related: related(1) },
        { shapes: shape(["B"]), attributes: 'show="0"', related: related(2) },
      ],
      { "ppt/notesSlides/notesSlide1.xml": notes(""), "ppt/notesSlides/notesSlide2.xml": notes("Speak.") },
    ),
  );
  expect(read.text).toBe("## Slide 1\n\nA\n\n## Slide 2 (hidden)\n\nB\n\nNotes:\n\nSpeak.");
  expect(read.notes).toEqual(["Hidden in a show, but read: slide 2."]);
});

test("comments of both forms are read with their authors and answers", async () => {
  const slide = {
    shapes: shape(["A"]),
    related: { c: ["comments", "../comments/c1.xml"] as const, d: ["comments", "../comments/c2.xml"] as const },
  };
  const parts = {
    "ppt/comments/c1.xml": '<p:cmLst><p:cm authorId="0" dt="2026-03-01T08:00:00"><p:text>Older</p:text></p:cm></p:cmLst>',
    "ppt/comments/c2.xml":
      '<p188:cmLst><p188:cm authorId="{X}"><p188:replyLst><p188:reply authorId="{X}"><p188:txBody><a:p><a:r><a:t>Answer</a:t></a:r></a:p></p188:txBody></p188:reply></p188:replyLst><p188:txBody><a:p><a:r><a:t>Newer</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>',
  };
  expect(await textOf([slide], parts)).toContain("[comment] 2026-03-01: Older");
  expect(await textOf([slide], parts)).toContain("[comment]: Newer\n  [comment]: Answer");
});

test("pictures, links, exponents and hidden shapes are named", async () => {
  const picture = '<p:pic><p:nvPicPr><p:cNvPr id="3" name="Picture 1" descr="A map"/></p:nvPicPr></p:pic>';
  const link =
    '<a:p><a:r><a:rPr><a:hlinkClick r:id="l"/></a:rPr><a:t>the site</a:t></a:r><a:r><a:t> 10</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>6</a:t></a:r></a:p>';
  const hidden = shape(["secret"]).replace('name="s"', 'name="s" hidden="1"');
  const read = await reading(
    "pptx",
    slideFile([{ shapes: shape([link]) + picture + hidden, related: { l: ["hyperlink", "https://a.example/"] } }]),
  );
  expect(read.text).toBe("## Slide 1\n\n[the site](https://a.example/) 10^6^\n\n[Picture: A map]");
  expect(read.notes).toEqual(["Left out: 1 picture, 1 hidden shape."]);
});
