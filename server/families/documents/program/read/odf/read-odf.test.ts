import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { reading } from "../../testing/office-file.ts";

const automatic = `<office:automatic-styles>
<style:style style:name="T1" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>
<style:style style:name="T2" style:family="text"><style:text-properties style:text-position="sub 58%"/></style:style>
<style:style style:name="T3" style:family="text"><style:text-properties style:text-line-through-style="solid"/></style:style>
<style:style style:name="T4" style:family="text"><style:text-properties text:display="none"/></style:style>
<text:list-style style:name="L1">
<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")" text:display-levels="2"/></text:list-style>
<text:list-style style:name="L2"><text:list-level-style-bullet text:level="1" text:bullet-char="•"/></text:list-style>
</office:automatic-styles>`;

const odt = (body: string, styles = "") =>
  reading(
    "odt",
    zipSync({ "content.xml": strToU8(`<x>${automatic}<office:text>${body}</office:text></x>`), "styles.xml": strToU8(`<x>${styles}</x>`) }),
  );
const span = (style: string, text: string) => `<text:span text:style-name="${style}">${text}</text:span>`;
const item = (text: string, more = "") => `<text:list-item><text:p>${text}</text:p>${more}</text:list-item>`;
const list = (style: string, items: string, more = "") =>
  `<text:list${style ? ` text:style-name="${style}"` : ""}${more}>${items}</text:list>`;

test("raised, lowered and struck text of an ODT has its marks, and hidden text is said to be left out", async () => {
  const { text, notes } = await odt(
    `<text:p>10${span("T1", "6")} H${span("T2", "2")}O ${span("T3", "old")} ${span("T4", "secret")}end${span("T1", "")}</text:p>`,
  );
  expect(text).toBe("10^6^ H~2~O ~~old~~ end");
  expect(notes).toEqual(["Left out: 6 characters of hidden text."]);
});

test("lists of an ODT have the numbers that their styles say, also in levels and when they go on", async () => {
  const inner = list("", item("c") + item("d"));
  const first = list("L1", `${item("a") + item("b", inner)}<text:list-item><text:p>e</text:p><text:p>more of e</text:p></text:list-item>`);
  const next = list("L1", item("f"), ' text:continue-numbering="true"');
  const { text } = await odt(`${first}<text:p>Between</text:p>${next}${list("L1", item("anew"))}${list("L2", item("bullet"))}`);
  expect(text.split("\n")).toEqual([
    ...["1. a", "2. b", "  2.a) c", "  2.b) d", "3. e", "  more of e", "", "Between"],
    ...["4. f", "1. anew", "- bullet"],
  ]);
});

test("headings of an ODT have their numbers", async () => {
  const outline = `<text:outline-style><text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="."/>
    <text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style>`;
  const heading = (level: number, text: string) => `<text:h text:outline-level="${level}">${text}</text:h>`;
  const { text } = await odt(heading(1, "Scope") + heading(2, "Terms") + heading(2, "Places") + heading(1, "Price"), outline);
  expect(text.split(/\n+/)).toEqual(["# 1. Scope", "## 1.1 Terms", "## 1.2 Places", "# 2. Price"]);
});

test("notes of an ODT stand behind the text under their marks", async () => {
  const note = (mark: string, text: string) =>
    `<text:note><text:note-citation>${mark}</text:note-citation><text:note-body><text:p>${text}</text:p></text:note-body></text:note>`;
  const { text } = await odt(`<text:p>Price${note("1", "net")} and term${note("2", "in days")}.</text:p>`);
  expect(text).toBe("Price[^1] and term[^2].\n\n[^1]: net\n[^2]: in days");
});

test("pictures and formulas of an ODT are named where they stand, and said to be left out", async () => {
  const frame = (content: string, title = "") => `<draw:frame>${content}${title ? `<svg:title>${title}</svg:title>` : ""}</draw:frame>`;
  const { text, notes } = await odt(
    `<text:p>See ${frame("<draw:image/>", "A map")} and ${frame("<draw:object/><draw:image/>")}.${frame("<draw:text-box><text:p>Box</text:p></draw:text-box>")}</text:p>`,
  );
  expect(text).toContain("See [Picture: A map] and [Embedded object].");
  expect(text).toContain("Box");
  expect(notes).toEqual(["Left out: 1 picture, 1 embedded object."]);
});
