import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { runTool } from "@/server/testing/run-tool";
import { temporaryFolder } from "@/server/testing/tool-context";
import { searchFiles } from "./search-files";

function workspace(contents: Record<string, string | Uint8Array>) {
  const root = temporaryFolder();
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  }
  const files = workspaceFiles(root, { isSensitive: (name) => /(^|\/)\.env$|^keys\//.test(name) });
  return {
    root,
    search: (args: JsonObject, signal = new AbortController().signal) => runTool(searchFiles, args, { files, signal }),
    /** Calls the tool by one of its aliases, as a model does. */
    searchAs: (name: string, args: JsonObject) => {
      const parsed = searchFiles.parse(args, name);
      if (!parsed.ok) throw new Error(parsed.message);
      return runTool(searchFiles, parsed.value, { files });
    },
  };
}

describe("searching content", () => {
  test("shows lines as path:line: text, in name order, and how many there are", async () => {
    const { search } = workspace({ "b.txt": "x\nneedle b\n", "a/z.txt": "needle a\r\ny\r\n", "c.txt": "nothing" });
    expect(await search({ query: "needle" })).toBe("a/z.txt:1: needle a\nb.txt:2: needle b\n[2 lines in 2 files]");
  });

  test("takes the query as plain text, signs and all", async () => {
    const { search } = workspace({ "a.txt": "a.c (x)*\nabc\n--files\n" });
    expect(await search({ query: "a.c (x)*" })).toBe("a.txt:1: a.c (x)*\n[1 line in 1 file]");
    expect(await search({ query: "--files" })).toContain("a.txt:3: --files");
  });

  test("takes a regular expression when told so", async () => {
    const { search } = workspace({ "a.ts": "export const one = 1\nconst two = 2\n  export const three = 3\n" });
    expect(await search({ query: "^export const \\w+", regex: true })).toContain("a.ts:1: export const one = 1\n[1 line");
    expect(await search({ query: "EXPORT", regex: true, ignoreCase: true })).toContain("[2 lines");
  });

  test.each(["grep", "Grep", "search_file_content", "ripgrep"])("called as %s it takes a regular expression", async (name) => {
    const { searchAs } = workspace({ "a.txt": "alpha\nbeta\ngamma\n" });
    expect(await searchAs(name, { pattern: "alpha|beta" })).toBe("a.txt:1: alpha\na.txt:2: beta\n[2 lines in 1 file]");
    expect(await searchAs(name, { pattern: "alpha|beta", regex: false })).toContain("No line matches");
  });

  test("minds capital letters unless told not to", async () => {
    const { search } = workspace({ "a.txt": "Needle\nneedle\nNEEDLE\n" });
    expect(await search({ query: "needle" })).toContain("[1 line in");
    expect(await search({ query: "nEEdle", ignoreCase: true })).toContain("[3 lines in");
  });

  test("shows lines around a match when asked", async () => {
    const { search } = workspace({ "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n", "b.txt": "3\n" });
    expect(await search({ query: "3", contextLines: 1 })).toBe("a.txt-2- 2\na.txt:3: 3\na.txt-4- 4\n--\nb.txt:1: 3\n[2 lines in 2 files]");
    expect(await search({ query: "3", contextLines: 1, maxResults: 1 })).toContain("a.txt-4- 4\n[The first 1 line");
  });

  test("finds text that goes over lines", async () => {
    const { search } = workspace({ "a.txt": "one\ntwo\nthree\n" });
    expect(await search({ query: "one\ntwo" })).toBe("a.txt:1: one\na.txt:2: two\n[2 lines in 1 file]");
  });

  test("looks only where it is told to", async () => {
    const { search } = workspace({ "src/a.ts": "x", "src/b.md": "x", "docs/a.ts": "x", "m/c.ts": "x" });
    expect(await search({ query: "x", path: "src", glob: "*.ts" })).toBe("src/a.ts:1: x\n[1 line in 1 file]");
    expect(await search({ query: "x", glob: "docs/**" })).toBe("docs/a.ts:1: x\n[1 line in 1 file]");
    expect(await search({ query: "x", glob: "src/**/*.{md,txt}" })).toBe("src/b.md:1: x\n[1 line in 1 file]");
    expect(await search({ query: "x", path: "src/b.md" })).toBe("src/b.md:1: x\n[1 line in 1 file]");
    expect(await search({ query: "x", glob: "!m/**", mode: "files" })).toBe("docs/a.ts\nsrc/a.ts\nsrc/b.md\n[3 files]");
  });

  test("answers only paths, or how many lines match", async () => {
    const { search } = workspace({ "a.txt": "x\nx x\n", "b.txt": "x\n", "c.txt": "y" });
    expect(await search({ query: "x", mode: "files" })).toBe("a.txt\nb.txt\n[2 files]");
    expect(await search({ query: "x", mode: "count" })).toBe("a.txt: 2\nb.txt: 1\n[2 files, 3 lines]");
    expect(await search({ query: "x", mode: "files", maxResults: 1 })).toBe(
      "a.txt\n[The first 1 file. There are more: narrow the search, or raise maxResults.]",
    );
  });

  test("stops at maxResults and says that there is more", async () => {
    const { search } = workspace({ "a.txt": "x\n".repeat(100), "b.txt": "x\n" });
    expect(await search({ query: "x", maxResults: 3 })).toBe(
      "a.txt:1: x\na.txt:2: x\na.txt:3: x\n[The first 3 lines in 1 file. There are more: narrow the search, or raise maxResults.]",
    );
    expect(await search({ query: "x", path: "b.txt", maxResults: 1 })).toBe("b.txt:1: x\n[1 line in 1 file]");
  });

  test("skips what is no text, and says why a file that is named cannot be searched", async () => {
    const { root, search } = workspace({ "binary.bin": Buffer.from("needle\0"), "good.txt": "needle", "doc.pdf": "%PDF-1.7 needle" });
    writeFileSync(path.join(root, "huge.txt"), "needle\n");
    truncateSync(path.join(root, "huge.txt"), 2 ** 34);
    expect(await search({ query: "needle", glob: "!*.pdf" })).toBe("good.txt:1: needle\n[1 line in 1 file]");
    await expect(search({ query: "needle", path: "binary.bin" })).rejects.toThrow("binary.bin is a binary file");
  });

  test("a search that finds nothing names the files that it did not read", async () => {
    const { search } = workspace({
      "a.bin": Buffer.from("needle\0"),
      "b.pdf": Buffer.from("%PDF-1.7\0needle"),
      "c.txt": "text",
      "empty.txt": "",
      ".env": "needle",
    });
    expect(String(await search({ query: "needle" }))).toMatch(
      / Not searched: 1 document \(b\.pdf.*\); 1 file that is no text or too large \(a\.bin\); 1 sensitive file \(\.env: search it by its path\)\.$/,
    );
  });

  test("beside what it found, a search names the documents that it did not read", async () => {
    const pdf = Buffer.from("%PDF-1.7\0needle");
    const { search } = workspace({ "a.txt": "needle", "b.pdf": pdf, "in/c.docx": pdf, "d.png": pdf });
    expect(await search({ query: "needle" })).toMatch(
      /^a\.txt:1: needle\n\[1 line in 1 file\. Not searched: 2 documents \(b\.pdf, in\/c\.docx.*\)\]$/,
    );
    expect(await search({ query: "needle", mode: "files" })).toMatch(/^a\.txt\n\[1 file\. Not searched: 2 documents \(/);
    expect(await search({ query: "needle", glob: "*.txt" })).toMatch(/\[1 line in 1 file\]$/);
    expect(await search({ query: "needle", path: "a.txt" })).toMatch(/\[1 line in 1 file\]$/);
  });

  test("a file above 10 MiB is searched", async () => {
    const { root, search } = workspace({});
    writeFileSync(path.join(root, "big.log"), `${"a line of a log\n".repeat(700_000)}needle\n`);
    expect(await search({ query: "needle" })).toBe("big.log:700001: needle\n[1 line in 1 file]");
  });

  test("lines of files in other encodings are shown as text, and encoding searches for their letters", async () => {
    const { search } = workspace({ "a.csv": Buffer.from("Name;Straße\nMüller;Hauptstraße 5\n", "latin1"), "b.txt": "Straße" });
    expect(await search({ query: "Name" })).toBe("a.csv:1: Name;Straße\n[1 line in 1 file]");
    expect(await search({ query: "Müller" })).toContain("encoding names another, such as windows-1252");
    expect(await search({ query: "Müller", encoding: "windows-1252" })).toBe("a.csv:2: Müller;Hauptstraße 5\n[1 line in 1 file]");
  });

  test("leaves out .git and node_modules unless it starts there", async () => {
    const { search } = workspace({
      "node_modules/p/x.js": "needle",
      ".git/config": "needle",
      ".hidden": "needle",
      "a/node_modules/y.js": "needle",
    });
    expect(await search({ query: "needle" })).toBe(".hidden:1: needle\n[1 line in 1 file]");
    expect(await search({ query: "needle", path: "node_modules/p" })).toContain("node_modules/p/x.js:1: needle");
    expect(await search({ query: "needle", includeIgnored: true, mode: "files" })).toBe(
      ".hidden\na/node_modules/y.js\nnode_modules/p/x.js\n[3 files]",
    );
  });

  test("honours .gitignore, in folders below it too, unless told not to", async () => {
    const { search } = workspace({ ".gitignore": "dist\n*.log\n", "dist/o.js": "needle", "src/a.log": "needle", "src/a.ts": "needle" });
    expect(await search({ query: "needle" })).toBe("src/a.ts:1: needle\n[1 line in 1 file]");
    expect(await search({ query: "needle", path: "src" })).toBe("src/a.ts:1: needle\n[1 line in 1 file]");
    expect(await search({ query: "needle", includeIgnored: true })).toContain("[3 lines in 3 files]");
    expect(await search({ query: "needle", path: "dist" })).toContain("dist/o.js:1: needle");
    expect(await search({ query: "nothing" })).toContain("includeIgnored searches them");
  });

  test("shows nothing of sensitive files, unless one is named by itself", async () => {
    const { search } = workspace({ ".env": "needle\n", "keys/a": "needle\n", "x.txt": "needle\n" });
    expect(await search({ query: "needle", contextLines: 2 })).toBe("x.txt:1: needle\n[1 line in 1 file]");
    expect(await search({ query: "needle", mode: "files" })).toBe("x.txt\n[1 file]");
    expect(await search({ query: "needle", mode: "count" })).toBe("x.txt: 1\n[1 file, 1 line]");
    expect(await search({ query: "needle", path: "keys" })).toContain("No line matches");
    expect(await search({ query: "needle", path: ".env" })).toContain(".env:1: needle");
  });

  test("a line break in a sensitive file's name hides nothing of what it is", async () => {
    const { search } = workspace({ "keys/a\nx.txt": "needle\n", "y.txt": "needle" });
    expect(await search({ query: "needle" })).toBe("y.txt:1: needle\n[1 line in 1 file]");
    expect(await search({ query: "needle", mode: "count" })).toBe("y.txt: 1\n[1 file, 1 line]");
  });

  test("does not follow a link out of the workspace", async () => {
    const outside = temporaryFolder();
    writeFileSync(path.join(outside, "secret.txt"), "needle");
    const { root, search } = workspace({ "a.txt": "needle" });
    symlinkSync(outside, path.join(root, "door"));
    symlinkSync(path.join(outside, "secret.txt"), path.join(root, "file-door"));
    expect(await search({ query: "needle" })).toBe("a.txt:1: needle\n[1 line in 1 file]");
    await expect(search({ query: "needle", path: "door" })).rejects.toMatchObject({ code: "forbidden" });
    await expect(search({ query: "needle", path: "file-door" })).rejects.toMatchObject({ code: "forbidden" });
  });

  test("cuts long lines around the match, however far behind it stands", async () => {
    const { search } = workspace({
      "a.txt": `needle ${"x".repeat(1_000)}`,
      "b.txt": `${"é".repeat(500)}needle${"é".repeat(100)}`,
      "min.js": `first\n${"y".repeat(3_000_000)}needle${"z".repeat(3_000_000)}\n`,
    });
    const lines = String(await search({ query: "needle" })).split("\n");
    expect(lines[0]).toBe(`a.txt:1: needle ${"x".repeat(293)}…`);
    expect(lines[1]).toBe(`b.txt:1: …${"é".repeat(50)}needle${"é".repeat(97)}…`);
    expect(lines[2]).toBe(`min.js:2: …${"y".repeat(100)}needle${"z".repeat(194)}…`);
    expect(lines[3]).toBe("[3 lines in 3 files]");
  });

  test("a line that imitates a cut one is shown as it is", async () => {
    const { search } = workspace({ "a.txt": "needle [... omitted end of long line]\n" });
    expect(await search({ query: "needle" })).toContain("a.txt:1: needle [... omitted end of long line]\n");
  });
});

describe("a search without a result", () => {
  test("for a name says how names are found", async () => {
    const { search } = workspace({ "a.ts": "x" });
    expect(await search({ query: "*.ts" })).toBe('No line matches. To find files by name, send target "name" with this query.');
  });

  test("for a regular expression taken as text says so", async () => {
    expect(await workspace({ "a.ts": "x" }).search({ query: "foo|bar" })).toContain("send regex: true");
  });

  test("in files that there are not says that", async () => {
    expect(await workspace({ "a.ts": "x" }).search({ query: "x", glob: "*.py" })).toBe(
      "No file fits the glob *.py, so nothing was searched.",
    );
  });
});

describe("searching names", () => {
  const files = { "src/index.ts": "1", "src/deep/index.test.ts": "12", "readme.md": "" };

  test("finds files by a part of their path", async () => {
    const { search } = workspace(files);
    expect(await search({ query: "index", target: "name" })).toBe("src/deep/index.test.ts\nsrc/index.ts\n[2 files]");
    expect(await search({ query: "INDEX", target: "name", ignoreCase: true })).toContain("[2 files]");
    expect(await search({ query: "^src/i", target: "name", regex: true })).toBe("src/index.ts\n[1 file]");
    expect(await search({ query: "\\.test\\.", target: "name", regex: true, path: "src" })).toBe("src/deep/index.test.ts\n[1 file]");
  });

  test("lists everything for an empty query, or what fits a glob in either place", async () => {
    const { search, searchAs } = workspace(files);
    expect(await search({ query: "", target: "name" })).toContain("[3 files]");
    expect(await search({ query: "", target: "name", glob: "*.md" })).toBe("readme.md\n[1 file]");
    expect(await search({ query: "**/*.ts", target: "name" })).toContain("[2 files]");
    expect(await searchAs("find_files", { pattern: "*.md" })).toBe("readme.md\n[1 file]");
    expect(await search({ query: "", target: "name", maxResults: 1 })).toBe(
      "readme.md\n[The first 1 file. There are more: narrow the search, or raise maxResults.]",
    );
    expect(await search({ query: "nope", target: "name" })).toBe("No file fits.");
  });
});

describe("a search that cannot be", () => {
  test.each([
    [{ query: "" }, "The query is empty"],
    [{ query: "(", regex: true }, "not a regular expression"],
    [{ query: "(?=x)", regex: true }, "not a regular expression"],
    [{ query: "(", regex: true, target: "name" }, "not a regular expression"],
    [{ query: "x", glob: "{a" }, "The glob {a cannot be read"],
    [{ query: "x", target: "name", glob: "{a" }, "The glob {a cannot be read"],
    [{ query: "*.ts", target: "name", glob: "*.ts" }, "Send one of them"],
    [{ query: "x", path: "../" }, "outside the workspace"],
    [{ query: "x", path: "missing" }, "missing"],
    [{ query: "x", output_mode: "count" }, "unknown argument `output_mode`; did you mean `mode`?"],
  ])("%j is refused with a sentence", async (args, sentence) => {
    const { search } = workspace({});
    await expect((async () => search(args as JsonObject))()).rejects.toThrow(sentence);
  });

  test("in an empty workspace finds nothing", async () => {
    expect(await workspace({}).search({ query: "x" })).toContain("No line matches.");
  });
});

test("a pattern made to take forever does not, and a search can be stopped", async () => {
  const { search } = workspace({ "a.txt": `${"a".repeat(19_000)}\n`.repeat(200) });
  await search({ query: "(a+)+$b|(a|aa)+c", regex: true });
  await expect(search({ query: "x" }, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
});
