import { expect, test } from "vitest";
import { plainPreview } from "./plain-preview";

test.each([
  ['```json\n{ "a": 1 }\n```', '{ "a": 1 }'],
  ["Done.\n\n```sh\nrm *.log && echo **\n```\nNext.", "Done. rm *.log && echo ** Next."],
  ["```\nnever closed", "never closed"],
  ["**Trigger** -- when a file changes", "Trigger -- when a file changes"],
  ["# Title\n\n> quoted *word* and ~~gone~~", "Title quoted word and gone"],
  ["* one\n* two\n\n---\nthree", "one two three"],
  ["Use `git_push --force` or `**kwargs`.", "Use git_push --force or **kwargs."],
  ["[docs](https://example.com/a) ![a dot](https://example.com/b.png)", "docs a dot"],
  ["Reads *.ts and *.js, 2 * 3 * 4, __init__, read_file", "Reads *.ts and *.js, 2 * 3 * 4, __init__, read_file"],
  ["***both*** and **bold**.", "both and bold."],
  ["", ""],
])("the preview of %j is %j", (markdown, preview) => {
  expect(plainPreview(markdown)).toBe(preview);
});

test("a preview keeps hidden characters for the view to spell out, is cut, and is quick for hostile text", () => {
  expect(plainPreview("**\u202Egnp.exe**")).toBe("\u202Egnp.exe");
  expect(plainPreview("a **long** word", 6)).toBe("a long");
  const started = performance.now();
  for (const unit of ["*", "**a", "`", "```\n", "[", "[a](", "~~a ", "> ", "#"]) plainPreview(unit.repeat(50_000));
  expect(performance.now() - started).toBeLessThan(500);
});
