import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readableHtml } from "./html-text";

const read = (html: string, options: Partial<Parameters<typeof readableHtml>[1]> = {}) =>
  readableHtml(html, { baseUrl: "https://example.com/dir/page.html", maxChars: 10_000, maxLinks: 10, ...options });

test("a page becomes its title, its text with a line a block, and its links", () => {
  expect(
    read(`<!doctype html>
      <html><head><title>News &amp;
        more</title><style>p { color: red }</style></head>
      <body><h1>Head<em>line</em></h1>
      <p>First   paragraph with <a href="/a?x=1&amp;y=2">a <b>link</b></a>.</p><p>Second&nbsp;one</p>
      <ul><li>One</li><li>Two</li></ul>
      <script>if (1 < 2) alert("<p>no</p>")</script>
      <table><tr><td>a</td><td>b</td></tr></table></body></html>`),
  ).toEqual({
    title: "News & more",
    text: "Headline\nFirst paragraph with a link.\nSecond one\n- One\n- Two\na\nb",
    links: [{ text: "a link", url: "https://example.com/a?x=1&y=2" }],
  });
});

test.each([
  ["entities", "&lt;b&gt; &#233; &#x1F600; &copy; &unknown; &amp;lt;", "<b> é 😀 © &unknown; &lt;"],
  ["impossible entities", "&#0;&#xD800;&#x110000;", "\uFFFD\uFFFD\uFFFD"],
  ["a sign that begins no tag", "1 < 2 and a<b", "1 < 2 and a"],
  ["comments", "a<!-- <p>no</p> -- > no -->b", "ab"],
  ["a comment without an end", "a<!-- no", "a"],
  ["a bracket inside of quotes", '<p title="a > b">text</p>', "text"],
  ["a tag without an end", "text<p class=", "text"],
  ["a script without an end", "text<script>no <p>no", "text"],
  ["capital letters", "<P>one</P><SCRIPT>no</Script><P>two</P>", "one\ntwo"],
  ["no markup at all", "just text", "just text"],
  ["nothing", "", ""],
])("%s", (_what, html, text) => {
  expect(read(html).text).toBe(text);
});

describe("links", () => {
  test("are only those that lead somewhere over http", () => {
    expect(
      read(`<a href="javascript:alert(1)">a</a><a href="mailto:x@y">b</a><a name=x>c</a><a href="#top">d</a>
            <a href='other.html'>e</a><a href=//cdn.example/x>f</a><a href="/g"></a>`).links,
    ).toEqual([
      { text: "d", url: "https://example.com/dir/page.html#top" },
      { text: "e", url: "https://example.com/dir/other.html" },
      { text: "f", url: "https://cdn.example/x" },
    ]);
  });

  test("are not more than asked for", () => {
    expect(read('<a href="/x">x</a>'.repeat(50), { maxLinks: 3 }).links).toHaveLength(3);
  });
});

test("the text is cut at its limit, never inside a character", () => {
  expect(read("😀".repeat(100), { maxChars: 11 }).text).toBe(`${"😀".repeat(5)}\uFFFD`);
});

test.each([
  ["opening brackets", "<".repeat(500_000)],
  ["tags that never end", "<a ".repeat(150_000)],
  ["spaces between tags", "<b> ".repeat(100_000)],
  ["line breaks between tags", "<p>\n".repeat(100_000)],
  ["attributes without an end", `<a ${'href="'.repeat(80_000)}`],
  ["ampersands", "&".repeat(500_000)],
  ["scripts", "<script>".repeat(60_000)],
  ["comments", "<!--".repeat(120_000)],
  ["links in links", "<a href=x>".repeat(50_000)],
])("half a megabyte of %s is read in time that grows with it", (_what, html) => {
  // Usually takes milliseconds; quadratic time would take minutes, and the test would time out.
  expect(() => read(html, { maxChars: 100_000 })).not.toThrow();
});

test("any text at all is read without an error", () => {
  const pieces = fc.constantFrom(
    "<",
    ">",
    "<p",
    "</p>",
    "<a href=",
    '"',
    "'",
    "&",
    "&#",
    ";",
    "<!--",
    "-->",
    "<script>",
    "</script",
    "x",
    " ",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: "grapheme", maxLength: 5 })), { maxLength: 60 }), (parts) => {
      const { text } = read(parts.join(""));
      expect(text.isWellFormed()).toBe(true);
    }),
  );
});
