import { expect, test } from "vitest";
import { syntaxNote } from "./syntax-note";

test.each([
  ["a.jsonc", '{"a": 1,}'],
  ["tsconfig.json", '// why\n{"a": 1,}'],
  [".vscode/settings.json", '{"a": 1, /* why */}'],
  ["a.json", '\uFEFF{"a": "// no comment,}"}'],
  ["a.py", "def f(a, *, b: list[int]) -> str:\n    return f\"{a['x']} {b!r:>{9}}\"  # it's (\n"],
  ["a.py", 'x = """\n(\n"""\ny = \'(\' + r"\\"" + "\\\n"\n'],
  ["a.py", 'f"{d["it\'s"]}"'],
  ["a.yaml", "a: 1\nb: [1, 2]\n"],
  ["a.yml", `${Array.from({ length: 30 }, (_, at) => `a${at}: &a${at} [${at === 0 ? "x" : `*a${at - 1}, *a${at - 1}`}]`).join("\n")}\n`],
  ["a.txt", '{"a": '],
  ["run.sh", '#!/bin/bash\nset -euo pipefail\ncat <<EOF\n$(date) `id` \'\nEOF\nfor f in *; do [[ -f $f ]] && echo "${f%.*}"; done\n'],
  ["run.sh", "#!/usr/bin/env fish\nif true; echo 1; end\n"],
  ["a.xml", '<?xml version="1.0"?><!DOCTYPE a SYSTEM "a.dtd"><a b="1">&own;<b/></a>'],
  ["a.svg", '\uFEFF<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'],
  ["a.js", "#!/usr/bin/env node\nmodule.exports = () => <div/>;\n"],
  ["a.js", "// @flow\nconst a: number = (1: any);"],
  ["a.mjs", "await import('node:fs'); export default 1;"],
  ["a.ts", "enum A { B } const a = <number>1; export = a;"],
  ["a.tsx", "export const A = <T,>({ a }: { a: T }) => <p>{a as string}</p>;"],
  ["a.css", "@media (width > 1px) { a { color: red; &:hover { b: c } } }"],
  ["constructor", "{"],
  ["a.json", `{${" ".repeat(300_000)}`],
])("%s is written without a note", async (path, text) => {
  expect(await syntaxNote(path, text)).toBe("");
});

test.each([
  ["a.json", '{"a" 1}', "a.json is not JSON: at line 1, column 6, a colon is missing"],
  ["A.JSON", "{", "is not JSON"],
  ["a.json", '{"a": 1,}', "a.json is JSON with comments or trailing commas only: "],
  ["a.json", '// why\n{"a": 1}', "JSON with comments"],
  ["a.py", "def f(:\n    pass\n", "( does not close, at line 1."],
  ["a.py", "x = [1,\n  2)\n", ") does not close [ of line 1, at line 2."],
  ["a.py", "x = 1\ny = 'abc\n", "the text that begins with ' does not end, at line 2."],
  ["a.pyi", '\n"""abc', 'the text that begins with """ does not end, at line 2.'],
  ["a.py", "}", "} closes nothing, at line 1."],
  ["a.yaml", "a: 1\n b: 2\n", "at line"],
  ["a.yml", "a: [1\nb: 2", "at line"],
  ["run.sh", "echo 1\nif true; then\n", "expected command after 'then', at line 2"],
  ["run.bash", "echo 'a", "unterminated single quote, at line 1."],
  ["a.xml", "<a>\n<b></a>", "at line 2."],
  ["a.svg", "<svg><path", "at line 1."],
  ["a.js", "const a = ;", 'Unexpected ";", at line 1, column 11.'],
  ["a.ts", "function f( {", "at line 1, column 14."],
  ["a.tsx", "<div>", "at line 1"],
  ["a.css", "a { color: red", 'Expected "}"'],
  ["a.ts", "(".repeat(20_000), "at line 1"],
])("the broken syntax of %s is reported", async (path, text, problem) => {
  expect(await syntaxNote(path, Buffer.from(text))).toContain("its syntax is broken: ");
  expect(await syntaxNote(path, text)).toContain(problem);
});
