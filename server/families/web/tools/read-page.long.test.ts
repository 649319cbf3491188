import { describe, expect, test } from "vitest";
import { readPage } from "./read-page";

const url = "https://example.com/dir/page.html";
const read = async (html: string) => readPage({ html, url }, 100_000);
const markdownOf = async (body: string) => (await read(body)).markdown;

describe("a page as Markdown", () => {
  test("keeps headings, lists, emphasis and addresses of links as they are from elsewhere", async () => {
    const page = `<title>News &amp;
      more</title><h2>Head <em>line</em></h2><p>First <a href="/a?x=1&amp;y=2">a <b>link</b></a> and <a href="javascript:x()">none</a>.</p>
      <ul><li>One</li><li>Two</li></ul><img src="pic.png" alt="A picture"><img src="data:image/png;base64,AAAA">`;
    const { title, markdown } = await read(page);
    expect(title).toBe("News & more");
    expect(markdown).toContain("## Head *line*");
    expect(markdown).toContain("First [a **link**](https://example.com/a?x=1&y=2) and none.");
    expect(markdown).toMatch(/-\s+One\n-\s+Two/);
    expect(markdown).toContain("![A picture](https://example.com/dir/pic.png)");
    expect(markdown).not.toContain("data:");
  });

  test("keeps the line breaks and the language of code", async () => {
    const code = "if (a) {\n    b();\n}";
    expect(await markdownOf(`<p>x</p><pre><code class="language-js">${code}</code></pre>`)).toContain(`\`\`\`js\n${code}\n\`\`\``);
    expect(await markdownOf(`<pre>${code}</pre>`)).toContain(`\`\`\`\n${code}\n\`\`\``);
    expect(await markdownOf("<pre>a\n```\nb</pre>")).toContain("````\na\n```\nb\n````");
  });

  test("makes tables of tables", async () => {
    const table = "<table><thead><tr><th>Name</th><th>Age</th></tr></thead><tbody><tr><td>Ann | Bo</td><td>7</td></tr></tbody></table>";
    expect(await markdownOf(table)).toBe("| Name | Age |\n| --- | --- |\n| Ann \\| Bo | 7 |");
  });

  test("leaves out what the page does not show", async () => {
    const { markdown } = await read(
      `<style>.gone, #away { display: none } .there { color: red }</style><p>Shown</p><p style="display:none">hidden 1</p>
       <p style="color:red; visibility: hidden">hidden 2</p><p hidden>hidden 3</p><p class="gone">hidden 4</p><p id="away">hidden 5</p>
       <p class="there">There</p><script>var hidden6</script><noscript>hidden 7</noscript><template>hidden 8</template>`,
    );
    expect(markdown).toContain("Shown");
    expect(markdown).toContain("There");
    expect(markdown).not.toContain("hidden");
  });

  test("is the article alone where there is one, and else all of it", async () => {
    const paragraph = `<p>${"This is a sentence of the article, with commas, and more of it. ".repeat(8)}</p>`;
    const menu = `<nav>${'<a href="/m">Menu entry</a> '.repeat(40)}</nav>`;
    const whole = await read(
      `<body>${menu}<main><article><h1>Title</h1>${paragraph.repeat(6)}</article></main><footer>Imprint</footer></body>`,
    );
    expect(whole.isArticle).toBe(true);
    expect(whole.markdown).toContain("This is a sentence of the article");
    expect(whole.markdown).not.toContain("Menu entry");
    const list = await read(`<body>${menu}<ul><li><a href="/1">One</a></li><li><a href="/2">Two</a></li></ul></body>`);
    expect(list.markdown).toContain("[One](https://example.com/1)");
  });

  test.each([
    "<html><head><title>T</title></head><p>Text</p></html>",
    "<!doctype html><title>T</title><p>Text",
    "<body><p>Text</p></body>",
  ])("of %s is its text, though tags are left out", async (html) => {
    expect((await read(html)).markdown).toBe("Text");
  });

  test.each(["", "just text", "<p>a<p>b", "<html></html>", "a < b & c", "<body"])("of %j is no error", async (html) => {
    expect(typeof (await read(html)).markdown).toBe("string");
  });
});

test.each([
  ["opening brackets", "<".repeat(500_000)],
  ["tags that never end", "<a ".repeat(150_000)],
  ["nested elements", "<div>".repeat(80_000)],
  ["links in links", "<a href=x>".repeat(50_000)],
  ["ampersands", "&".repeat(500_000)],
])(
  "half a megabyte of %s is read, as plain text if need be, and the next page as ever",
  async (_what, html) => {
    expect(typeof (await read(html)).markdown).toBe("string");
    expect(await markdownOf("<h1>As ever</h1>")).toBe("# As ever");
  },
  30_000,
);

test("a page that ends its reader is said to be plain text", async () => {
  expect(await read(`${"<div>".repeat(80_000)}deep`)).toMatchObject({ isPlain: true });
  expect(await read("<h1>As ever</h1>")).toMatchObject({ isPlain: false, markdown: "# As ever" });
}, 30_000);
