import { describe, expect, test } from "vitest";
import { findCitations, findLinks, firstWords, replaceLinks, toSlug } from "./page-links";

describe("links of a page", () => {
  test("are found outside of code, in capitals or not", () => {
    const content =
      "See [[Travel-Costs]] and [[the office|our office]].\n\n```\n[[in-code]]\n```\n\nAlso `[[inline]]` and [[Travel-Costs|again]].";
    expect(findLinks(content).map(({ slug, words }) => [slug, words])).toEqual([
      ["travel-costs", null],
      ["the-office", "our office"],
      ["travel-costs", "again"],
    ]);
  });

  test("are replaced where they stand, and code stays as it is", () => {
    const content = "A [[old]] b `[[old]]` c [[Old|words]] d [[other]]";
    const renamed = replaceLinks(content, ({ slug, words }) => (slug === "old" ? `[[new${words ? `|${words}` : ""}]]` : null));
    expect(renamed).toBe("A [[new]] b `[[old]]` c [[new|words]] d [[other]]");
  });

  test.each([
    ["Travel costs, 2026!", "travel-costs-2026"],
    ["Don't panic", "dont-panic"],
    ["差旅 费用", "差旅-费用"],
    ["../../etc/passwd", "etc-passwd"],
    ["!!!", "page"],
  ])("the title %s makes the slug %s", (title, slug) => expect(toSlug(title)).toBe(slug));
});

test("citations name a source and its page, by name or by address", () => {
  const content = `One [1], two [2], three [3] and \`[4]\`.

[1]: report.pdf, p. 12
[2]: /knowledge/sources/01890000-0000-7000-8000-000000000001?page=3 "guide.docx"`;
  expect(findCitations(content)).toEqual([
    { number: 1, name: "report.pdf", sourceId: null, part: 12 },
    { number: 2, name: "guide.docx", sourceId: "01890000-0000-7000-8000-000000000001", part: 3 },
    { number: 3, name: "", sourceId: null, part: null },
  ]);
});

test("the first words of a page leave out headings, code and marks", () => {
  expect(firstWords("# Title\n\nSome **words** about [[x|the thing]] [1].\n\n```\ncode\n```\n\n[1]: a.pdf")).toBe(
    "Some words about the thing.",
  );
});
