import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { AppError } from "@/server/platform/errors";
import { runTool } from "@/server/testing/run-tool";
import { temporaryFolder } from "@/server/testing/tool-context";
import { parsePatch } from "./parse-patch";
import { patch } from "./patch";
import { patchDocumentation } from "./patch.documentation";

function workspace(contents: Record<string, string>, mayReplace?: Parameters<typeof workspaceFiles>[1]) {
  const root = temporaryFolder();
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  }
  const given = { files: workspaceFiles(root, mayReplace) };
  return {
    at: (name: string) => path.join(root, name),
    text: (name: string) => readFileSync(path.join(root, name), "utf8"),
    names: () => readdirSync(root, { recursive: true, encoding: "utf8" }).sort(),
    run: (args: JsonObject) => runTool(patch, args, given) as Promise<string>,
    patch: (...lines: string[]) =>
      runTool(patch, { patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") }, given) as Promise<string>,
  };
}

test("one patch changes, adds, deletes and moves files", async () => {
  const { patch, text, names } = workspace({ "a.txt": "1\n2\n3\n", "b.txt": "b\n", "c.txt": "c\n", "d.bin": "\u0000" });
  expect(
    await patch(
      ...["*** Update File: a.txt", " 1", "-2", "+two", "+2b"],
      ...["*** Add File: new/x.txt", "+hello", "+"],
      "*** Delete File: b.txt",
      ...["*** Update File: c.txt", "*** Move to: sub/c.txt", "@@", "-c", "+C"],
      "*** Move File: d.bin -> sub/d.bin",
    ),
  ).toBe(
    "Patched 5 files:\nchanged a.txt at 1 place.\nadded new/x.txt\ndeleted b.txt\nmoved c.txt to sub/c.txt and changed 1 place.\nmoved d.bin to sub/d.bin",
  );
  expect([text("a.txt"), text("new/x.txt"), text("sub/c.txt")]).toEqual(["1\ntwo\n2b\n3\n", "hello\n\n", "C\n"]);
  expect(names()).toEqual(["a.txt", "new", "new/x.txt", "sub", "sub/c.txt", "sub/d.bin"]);
});

test("nothing changes when one file of several cannot be changed, and nothing is left behind", async () => {
  const { patch, text, names } = workspace({ "a.txt": "a\n", "b.txt": "b\n" });
  const first = ["*** Update File: a.txt", "-a", "+A"];
  await expect(patch(...first, "*** Update File: b.txt", "-other", "+x")).rejects.toThrow("no line of the file is `other`");
  await expect(patch(...first, "*** Add File: b.txt", "+x")).rejects.toThrow("b.txt exists already");
  await expect(patch(...first, "*** Delete File: c.txt")).rejects.toMatchObject({ code: "not_found" });
  await expect(patch(...first, "*** Add File: b.txt/x", "+x")).rejects.toMatchObject({ code: "invalid" });
  expect([text("a.txt"), text("b.txt"), names()]).toEqual(["a\n", "b\n", ["a.txt", "b.txt"]]);
});

test("a file that the conversation may not replace stops the whole patch, also as a deletion", async () => {
  const mayReplace = async ({ relative }: { relative: string }) => {
    if (relative === "b.txt") throw new AppError("conflict", "b.txt has not been read");
  };
  const { patch, text, names } = workspace({ "a.txt": "a\n", "b.txt": "b\n" }, { mayReplace });
  const first = ["*** Update File: a.txt", "-a", "+A"];
  await expect(patch(...first, "*** Update File: b.txt", "-b", "+B")).rejects.toThrow("has not been read");
  await expect(patch(...first, "*** Delete File: b.txt")).rejects.toThrow("has not been read");
  expect([text("a.txt"), names()]).toEqual(["a\n", ["a.txt", "b.txt"]]);
});

describe("hunks", () => {
  const code = "class A:\n    def run(self):\n        return 1\n\nclass B:\n    def run(self):\n        return 1\n";

  test("an anchor says which of equal places is meant", async () => {
    const { patch, text } = workspace({ "a.py": code });
    await patch("*** Update File: a.py", "@@ class B:", "@@     def run(self):", "-        return 1", "+        return 2");
    expect(text("a.py")).toBe(code.replace(/1\n$/, "2\n"));
  });

  test("without an anchor several places are refused with their lines", async () => {
    const { patch, text } = workspace({ "a.py": code });
    await expect(patch("*** Update File: a.py", "-        return 1", "+        return 2")).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("fits at several places (lines 3, 7)"),
    });
    await expect(patch("*** Update File: a.py", "@@ class C:", "-        return 1", "+x")).rejects.toThrow("below `class C:`");
    expect(text("a.py")).toBe(code);
  });

  test("overlapping places are several places, too", async () => {
    const { patch } = workspace({ "a.txt": "}\n}\n}\n" });
    await expect(patch("*** Update File: a.txt", " }", "-}", "+x")).rejects.toThrow("fits at several places (lines 1, 2)");
  });

  test("the end of the file is a place", async () => {
    const { patch, text } = workspace({ "a.txt": "x\nx\nx" });
    await patch("*** Update File: a.txt", "-x", "+last", "*** End of File");
    await patch("*** Update File: a.txt", "@@", "+more");
    expect(text("a.txt")).toBe("x\nx\nlast\nmore");
  });

  test("several hunks are applied in the order of the file", async () => {
    const { patch, text } = workspace({ "a.txt": "1\n2\n3\n4\n" });
    await patch("*** Update File: a.txt", "-1", "@@", "-3", "+three", " 4", "+5");
    expect(text("a.txt")).toBe("2\nthree\n4\n5\n");
    await expect(patch("*** Update File: a.txt", "-4", "@@", "-2", "+x")).rejects.toThrow("in the order of the file");
  });

  test("lines keep their endings, and new lines take those around them", async () => {
    const { patch, text } = workspace({ "a.txt": "1\r\n2\r\n3", "b.txt": "1\n2\r\n3\n" });
    await patch("*** Update File: a.txt", " 2", "+2b", "-3", "+three", "*** Update File: b.txt", "-2", "+two", " 3", "+4");
    expect([text("a.txt"), text("b.txt")]).toEqual(["1\r\n2\r\n2b\r\nthree", "1\ntwo\r\n3\n4\n"]);
  });

  test.each([
    ["trailing_space", "a  \nb\n", ["-a", "+A", " b"], "A\nb\n"],
    ["indentation", "\tif (x) {\n\t\ty();\n\t}\n", [" if (x) {", "-  y();", "+z();", " }"], "\tif (x) {\n\tz();\n\t}\n"],
    ["white_space", "a   =  1\n", ["-a = 1", "+a = 2"], "a = 2\n"],
    ["punctuation", "say “it’s” – now\n", ['-say "it\'s" - now', "+done"], "done\n"],
  ])("a difference is bridged by the strategy %s, which is named", async (strategy, before, lines, after) => {
    const { patch, text } = workspace({ "a.txt": before });
    expect(await patch("*** Update File: a.txt", ...lines)).toContain(`(${strategy})`);
    expect(text("a.txt")).toBe(after);
  });

  test("new lines that were indented as their place is are shown as they were written", async () => {
    const { patch, text } = workspace({ "a.py": "def f():\n  if x:\n    return 1\n" });
    const said = await patch("*** Update File: a.py", " if x:", "-  return 1", "+  y()", "+  return 2");
    expect(said).toContain("New lines were indented as the place is:\n    y()\n    return 2");
    expect(text("a.py")).toBe("def f():\n  if x:\n    y()\n    return 2\n");
  });

  test("a line that a hunk keeps is not rewritten by a loose match", async () => {
    const { patch, text } = workspace({ "a.txt": "keep   me  \nold\n" });
    await patch("*** Update File: a.txt", " keep me", "-old", "+new");
    expect(text("a.txt")).toBe("keep   me  \nnew\n");
  });
});

describe("mode replace", () => {
  test("replaces one place exactly, or lines by a strategy that is named", async () => {
    const { run, text } = workspace({ "a.txt": "  one\n  two\r\nthree" });
    expect(await run({ path: "a.txt", old_string: "three", new_string: "3" })).toBe("Changed one place in a.txt.");
    expect(await run({ mode: "replace", path: "a.txt", oldText: "one\ntwo\n", newText: "1\n2\n" })).toBe(
      "Changed one place in a.txt. Matched without the indentation (indentation). New lines were indented as the place is:\n  1\n  2",
    );
    expect(text("a.txt")).toBe("  1\n  2\n3");
  });

  test("refuses several places, nothing found and nothing to change", async () => {
    const { run, text } = workspace({ "a.txt": "x\n x\n" });
    await expect(run({ path: "a.txt", oldText: "x", newText: "y" })).rejects.toThrow("occurs 2 times");
    await expect(run({ path: "a.txt", oldText: "  x", newText: "y" })).rejects.toThrow("occurs 2 times");
    await expect(run({ path: "a.txt", oldText: "z", newText: "y" })).rejects.toMatchObject({ code: "not_found" });
    await expect(run({ path: "a.txt", oldText: "x", newText: "x" })).rejects.toThrow("are the same");
    expect(text("a.txt")).toBe("x\n x\n");
    expect(await run({ path: "a.txt", oldText: "   x", newText: "", replace_all: true })).toContain("Changed 2 places");
    expect(text("a.txt")).toBe("");
  });
});

test.each<[JsonObject, string]>([
  [{}, "mode replace needs path"],
  [{ path: "a.txt", oldText: "a" }, "mode replace needs newText"],
  [{ path: "a.txt", patch: "x" }, "mode patch takes no path"],
  [{ patch: "hello" }, "Line 1 of the patch stands before the first file"],
  [{ patch: "*** Begin Patch\n*** End Patch" }, "names no file"],
  [{ patch: "*** Update File: a.txt" }, "changes nothing in a.txt"],
  [{ patch: "*** Update File: a.txt\n a" }, 'has no line with "-" or "+"'],
  [{ patch: "*** Update File: a.txt\nx" }, "Line 2 of the patch begins with none of"],
  [{ patch: "*** Add File: a.txt\nx" }, 'Line 2 of the patch of a new file does not begin with "+"'],
  [{ patch: "*** Delete File: a.txt\n-x" }, "takes no lines"],
  [{ patch: "*** Update File: a.txt\n-a\n*** Delete File: ./b/../a.txt" }, "names a.txt twice"],
  [{ patch: "*** Move File: a.txt" }, "old path -> new path"],
  [{ patch: `*** Update File: a.txt\n${"@@\n-a\n".repeat(301)}` }, "at most 300"],
  [{ patch: "*** Delete File: a.txt\n".repeat(51) }, "after the first 50"],
])("%j is refused with what to do", async (args, message) => {
  const { run, text } = workspace({ "a.txt": "a\n" });
  await expect(run(args)).rejects.toThrow(message);
  expect(text("a.txt")).toBe("a\n");
});

describe("a patch cannot leave the folder", () => {
  test("by its paths or through links", async () => {
    const outside = workspace({ "secret.txt": "s\n" });
    const { patch, at, names } = workspace({ "a.txt": "a\n" });
    symlinkSync(outside.at("secret.txt"), at("link.txt"));
    symlinkSync(outside.at("."), at("door"));
    for (const lines of [
      ["*** Add File: ../x.txt", "+x"],
      ["*** Add File: /etc/x.txt", "+x"],
      ["*** Add File: door/x.txt", "+x"],
      ["*** Update File: link.txt", "-s", "+x"],
      ["*** Delete File: door/secret.txt"],
      ["*** Move File: a.txt -> ../a.txt"],
      ["*** Move File: door/secret.txt -> s.txt"],
    ]) {
      await expect(patch(...lines)).rejects.toMatchObject({ code: "forbidden" });
    }
    expect([names(), outside.names(), outside.text("secret.txt")]).toEqual([
      ["a.txt", "door", "door/secret.txt", "link.txt"],
      ["secret.txt"],
      "s\n",
    ]);
  });

  test("and two names of one file are one file", async () => {
    const { patch, at, text } = workspace({ "a.txt": "a\n" });
    symlinkSync("a.txt", at("b.txt"));
    await expect(patch("*** Update File: a.txt", "-a", "+1", "*** Update File: b.txt", "-a", "+2")).rejects.toThrow("are the same file");
    expect(text("a.txt")).toBe("a\n");
  });

  test("and the guard is told of every path, in its shortest spelling", () => {
    const lines = [
      "*** Update File: x/../a",
      "*** Move to: ./b",
      "-a",
      "*** Add File: c",
      "+",
      "*** Delete File: d",
      "*** Update File: e",
      "+e",
    ];
    expect(patch.effects?.({ patch: lines.join("\n") }).map(({ kind, path }) => [kind, path])).toEqual([
      ["delete", "a"],
      ["write", "b"],
      ["write", "c"],
      ["delete", "d"],
      ["write", "e"],
    ]);
    expect(patch.effects?.({ path: "f", oldText: "a", newText: "b" })).toMatchObject([{ kind: "write", path: "f" }]);
  });
});

test("a file keeps its mode", async () => {
  const { patch, at, text } = workspace({ "run.sh": "old\n", "a.txt": "a\n" });
  chmodSync(at("run.sh"), 0o754);
  await patch("*** Update File: run.sh", "-old", "+new", "*** Update File: a.txt", "-a", "+A");
  expect([text("run.sh"), text("a.txt"), statSync(at("run.sh")).mode & 0o777]).toEqual(["new\n", "A\n", 0o754]);
});

test("a file made to be slow is patched in little time", async () => {
  const { patch } = workspace({ "a.txt": "\n".repeat(40_000) });
  const started = performance.now();
  await expect(patch("*** Update File: a.txt", ...Array.from({ length: 2_000 }, () => " "), "-x", "+y")).rejects.toThrow("was not found");
  expect(performance.now() - started).toBeLessThan(5_000);
});

test("the approver sees the file as it would be, where the call changes one", () => {
  const one = patch.changesFile?.({ patch: "*** Update File: a\n-a\n+b", replaceAll: false });
  expect([one?.path, one?.after("a\n"), one?.after("c\n")]).toEqual(["a", "b\n", null]);
  expect(patch.changesFile?.({ patch: "*** Add File: a\n+b", replaceAll: false })?.after("")).toBe("b\n");
  expect(patch.changesFile?.({ path: "a", oldText: "a", newText: "b", replaceAll: false })?.after("a")).toBe("b");
  expect(patch.changesFile?.({ patch: "*** Delete File: a\n*** Delete File: b", replaceAll: false })).toBe(null);
});

test("the patch in the documentation is one that the tool takes", () => {
  const [example = ""] = /\*\*\* Begin Patch[\s\S]*?\*\*\* End Patch/.exec(patchDocumentation) ?? [];
  expect(parsePatch(example).map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    "update src/greet.ts",
    "add src/part.ts",
    "delete src/old.ts",
  ]);
});
