import { shape, slideFile } from "../../server/families/documents/program/testing/office-file";
import { type Input, inputs } from "./input";

const values = (all: readonly (string | number)[]) => all.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join("");
const series = (name: string, categories: readonly string[], numbers: readonly number[]) =>
  `<c:ser><c:tx><c:strRef><c:strCache>${values([name])}</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>${values(categories)}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache>${values(numbers)}</c:numCache></c:numRef></c:val></c:ser>`;
const chart = (plot: string) => () =>
  slideFile(
    [
      {
        shapes: '<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="c"/></a:graphicData></a:graphic></p:graphicFrame>',
        related: { c: ["chart", "../charts/chart7.xml"] },
      },
    ],
    {
      "ppt/charts/chart7.xml": `<c:chartSpace><c:chart><c:plotArea>${plot}</c:plotArea></c:chart></c:chartSpace>`,
    },
  );
const diagram = (points: readonly string[]) => () =>
  slideFile(
    [{ shapes: '<p:graphicFrame><dgm:relIds r:dm="d"/></p:graphicFrame>', related: { d: ["diagramData", "../diagrams/data1.xml"] } }],
    {
      "ppt/diagrams/data1.xml": `<dgm:dataModel><dgm:pt modelId="0" type="doc"/>${points.map((point, at) => `<dgm:pt modelId="${at + 1}"><dgm:t><a:p><a:r><a:t>${point}</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:cxn srcId="0" destId="${at + 1}" srcOrd="${at}"/>`).join("")}</dgm:dataModel>`,
    },
  );
const comments = (xml: string) => () =>
  slideFile([{ shapes: shape(["A"]), related: { c: ["comments", "../comments/comment1.xml"] } }], { "ppt/comments/comment1.xml": xml });
const speaker = (text: string) => `<p:notes><p:cSld><p:spTree>${shape([text], "body")}</p:spTree></p:cSld></p:notes>`;
const small = (text: string, baseline: number) =>
  `<a:p><a:r><a:t>10</a:t></a:r><a:r><a:rPr baseline="${baseline}"/><a:t>${text}</a:t></a:r></a:p>`;

export const slides: Input[] = [
  ...inputs("charts and diagrams", "pptx", [
    {
      file: chart(`<c:pieChart>${series("Share", ["North", "South"], [70, 30])}</c:pieChart>`),
      must: ["| North | 70 |", "| South | 30 |"],
    },
    { file: chart(`<c:bar3DChart>${series("2024", ["A"], [1])}${series("2025", ["A"], [2])}</c:bar3DChart>`), must: ["| A | 1 | 2 |"] },
    {
      file: chart(`<c:barChart>${series("Bars", ["Q1"], [5])}</c:barChart><c:lineChart>${series("Line", ["Q1"], [9])}</c:lineChart>`),
      must: ["Bars", "Line", "5", "9"],
    },
    { file: diagram(["Plan", "Do", "Check"]), must: ["- Plan\n- Do\n- Check"] },
    { file: diagram(["Chief"]), must: ["- Chief"] },
  ]),
  ...inputs("comments on slides", "pptx", [
    {
      file: comments('<p:cmLst><p:cm authorId="0" dt="2026-01-05T10:00:00"><p:text>Use our blue</p:text></p:cm></p:cmLst>'),
      must: ["Use our blue"],
    },
    {
      file: comments('<p:cmLst><p:cm authorId="0"><p:text>One</p:text></p:cm><p:cm authorId="1"><p:text>Two</p:text></p:cm></p:cmLst>'),
      must: ["One", "Two"],
    },
    {
      file: comments(
        '<p188:cmLst><p188:cm authorId="{X}"><p188:txBody><a:p><a:r><a:t>Newer form</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>',
      ),
      must: ["Newer form"],
    },
  ]),
  ...inputs("hidden slides and notes", "pptx", [
    {
      file: () => slideFile([{ shapes: shape(["Open"]) }, { shapes: shape(["Backup"]), attributes: 'show="false"' }]),
      must: ["Slide 2 (hidden)", "Backup"],
    },
    {
      file: () =>
        slideFile([{ shapes: shape(["Open"]), related: { n: ["notesSlide", "../notesSlides/n1.xml"] } }], {
          "ppt/notesSlides/n1.xml": speaker("Pause here."),
        }),
      must: ["Pause here."],
    },
    { file: () => slideFile([{ shapes: shape(["Open"]) }]), must: ["Open"], mustNot: ["Notes:"] },
    {
      file: () => slideFile([{ shapes: shape(["Open"]) + shape(["ghost"]).replace('name="s"', 'name="s" hidden="true"') }]),
      must: ["hidden shape"],
      mustNot: ["ghost"],
    },
  ]),
  ...inputs("texts of slides", "pptx", [
    { file: () => slideFile([{ shapes: shape([small("6", 30_000)]) }]), must: ["10^6^"] },
    { file: () => slideFile([{ shapes: shape([small("2", -25_000)]) }]), must: ["10~2~"] },
    { file: () => slideFile([{ shapes: `<p:grpSp>${shape(["inside a group"])}</p:grpSp>` }]), must: ["inside a group"] },
    {
      file: () =>
        slideFile([
          {
            shapes:
              "<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>K</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p/></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>V</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>",
          },
        ]),
      must: ["| K |  | V |"],
    },
  ]),
];
