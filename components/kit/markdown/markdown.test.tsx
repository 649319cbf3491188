import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { Markdown } from "./markdown";

const draw = (text: string) =>
  renderToStaticMarkup(
    <MantineProvider>
      <Markdown text={text} />
    </MantineProvider>,
  ).replace(/<style.*?<\/style>/gs, "");

describe("an answer", () => {
  test("is drawn with its paragraphs, lists, tables, code and emphasis", () => {
    const drawn = draw(
      "# Title\n\nSome **bold** and `code`.\n\n1. one\n2. two\n\n|a|b|\n|-|-:|\n|1|2|\n\n```js\nlet a;\n```\n\n- [x] done",
    );
    expect(drawn).toMatch(/<p[^>]*data-level="1"[^>]*>Title<\/p>/);
    expect(drawn).toContain("<strong>bold</strong>");
    expect(drawn).toMatch(/<ol start="1"><li>one<\/li><li>two<\/li><\/ol>/);
    expect(drawn).toContain('<td style="text-align:right">2</td>');
    expect(drawn).toContain("let a;");
    expect(drawn).toContain("☑");
  });

  test("shows citations in brackets, as links to their sources", () => {
    const drawn = draw(
      'Four percent [1], [see](https://example.com).\n\n[1]: /knowledge/sources/01a22ac7-d9ee-700c-bd62-e49ad08a5ada?page=2 "manual.pdf"',
    );
    expect(drawn).toMatch(/<a [^>]*href="\/knowledge\/sources\/[\w-]+\?page=2"[^>]*>\[1\]<\/a>/);
    expect(drawn).toMatch(/<a [^>]*>see<\/a>/);
  });

  test.each([
    ["<script>alert(1)</script>", "<script"],
    ['before <img src=x onerror="alert(1)"> after', "<img"],
    ["<iframe src='https://evil.example'></iframe>", "<iframe"],
    ['<a href="javascript:alert(1)">x</a>', "<a "],
    ["[x](javascript:alert(1))", "<a "],
    ["[x](data:text/html,hello)", "<a "],
    ["[x](vbscript:x)", "<a "],
    ["[x](//evil.example)", "<a "],
    ["![x](https://evil.example/p.png)", "<img"],
    ['![x](https://evil.example/p.png "t" onerror=alert(1))', "<img"],
    ["a &lt;img src=x&gt; b", "<img"],
  ])("never puts HTML of the model on the page: %s", (text, forbidden) => {
    expect(draw(text)).not.toContain(forbidden);
  });

  test("links only to web addresses, in a new window that learns nothing of ours", () => {
    expect(draw("[docs](https://example.com/a?b=c)")).toContain(
      '<a href="https://example.com/a?b=c" target="_blank" rel="noopener noreferrer nofollow" title="https://example.com/a?b=c">docs</a>',
    );
    expect(draw("![a dot](https://example.com/dot.png)"), "an image is a link, and nothing is loaded").toContain(">Image: a dot</a>");
  });

  test("shows hidden characters and decodes entities once", () => {
    expect(draw("a\u202Eb")).toContain("U+202E");
    expect(draw("&amp;lt; &#65; &unknown;")).toContain("&amp;lt; A &amp;unknown;");
  });

  test("is plain text when its Markdown is nested without end", () => {
    expect(draw(`${"> ".repeat(5_000)}deep`)).toContain("deep");
    expect(draw(`${"**".repeat(2_000)}x`)).toContain("x");
  });
});
