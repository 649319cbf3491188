import { describe, expect, test } from "vitest";
import { type FolderFacts, locatePath, type PathContext } from "./locate-path";
import { compileSensitivePaths, noSensitivePaths } from "./sensitive-globs";

const surroundings: PathContext = { root: "/work/folder", sandboxed: false, sensitivePaths: noSensitivePaths };

/** Describes a path's location as `where path class`. */
function located(value: string, { folder = ".", ...more }: Partial<PathContext> & { folder?: string | null } = {}) {
  const certainty = value.includes("\uE000") ? "unknown" : /[*?[]/.test(value) ? "glob" : "literal";
  const { where, path, class: kind } = locatePath({ value, certainty }, folder, { ...surroundings, ...more });
  return [where, path, kind].filter(Boolean).join(" ");
}

test.each([
  ["a.txt", "inside a.txt"],
  ["./src/../a", "inside a"],
  [".", "inside ."],
  ["\uE001", "inside ."],
  ["\uE001/a", "inside a"],
  ["/work/folder", "inside ."],
  ["/work/folder/a/", "inside a"],
  ["*.ts", "inside *.ts"],
  ["src/[a-z]?/*.ts", "inside src/[a-z]?/*.ts"],
  ["..", "outside .."],
  ["a/../../b", "outside ../b"],
  ["/work/folder2", "outside /work/folder2"],
  ["/work/folder/../x", "outside /work/x"],
  ["file:///etc/hostname", "outside /etc/hostname system"],
  ["file:/work/folder/a", "inside a"],
  ["/dev/null", "inside /dev/null"],
  ["/dev/fd/63", "inside /dev/fd/63"],
  ["/dev/sda", "outside /dev/sda device"],
  ["/", "outside / system"],
  ["/usr/include/stdio.h", "outside /usr/include/stdio.h system"],
  ["/etc/os-release", "outside /etc/os-release system"],
  ["/proc/cpuinfo", "outside /proc/cpuinfo system"],
  ["/etc/shadow", "outside /etc/shadow sensitive"],
  ["/proc/1/environ", "outside /proc/1/environ sensitive"],
  ["/etc/cron.d/x", "outside /etc/cron.d/x runs_by_itself"],
  ["/tmp/x", "outside /tmp/x temporary"],
  [".env", "inside .env sensitive"],
  [".git/hooks/pre-commit", "inside .git/hooks/pre-commit runs_by_itself"],
  // The configuration may hold a password, so it is sensitive first.
  [".git/config", "inside .git/config sensitive"],
  ["node_modules", "inside node_modules rebuildable"],
  ["packages/a/dist/*", "inside packages/a/dist/* rebuildable"],
  ["dist/*.js", "inside dist/*.js rebuildable"],
  ["node_modules/react", "inside node_modules/react rebuildable"],
  ["dist/../src", "inside src"],
  ["dist/.env", "inside dist/.env sensitive"],
  ["dist/*/../../src", "not_known dist/*/../../src"],
  ["src", "inside src"],
  // A glob that begins with a dot may match `..`, and a folder matched by a glob may be a link.
  [".?", "not_known .?"],
  [".[.]/x", "not_known .[.]/x"],
  ["a/.*", "not_known a/.*"],
  ["*/../../x", "not_known */../../x"],
  ["\uE000/x", "not_known"],
  ["a\uE000", "not_known"],
  ["\uE000/.env", "not_known sensitive"],
  [`/${"a".repeat(5_000)}`, "not_known"],
])("%s", (value, expected) => expect(located(value)).toBe(expected));

test("from a folder that is not known, only a path that is written out in full is known", () => {
  expect(located("a", { folder: null })).toBe("not_known a");
  expect(located("../a", { folder: null })).toBe("not_known ../a");
  expect(located("/work/folder/a", { folder: null })).toBe("inside a");
  expect(located("\uE001/a", { folder: null })).toBe("inside a");
});

test("a relative path counts from the folder in which the command runs", () => {
  expect(located("../a", { folder: "src" })).toBe("inside a");
  expect(located("../a", { folder: ".." })).toBe("outside ../../a");
  expect(located("passwd", { folder: "/etc" })).toBe("outside /etc/passwd sensitive");
});

test("the sandbox has a /tmp of its own", () => {
  expect(located("/tmp/x", { sandboxed: true })).toBe("inside /tmp/x temporary");
});

test("the sandbox has processes of its own, and what leads from them to files is judged as before", () => {
  for (const file of [
    "/proc/self/status",
    "/proc/self/environ",
    "/proc/thread-self/stat",
    "/proc/42/cmdline",
    "/proc/self/fd/3",
    "/proc/self",
  ]) {
    expect(located(file, { sandboxed: true })).toBe(`inside ${file}`);
    expect(located(file)).toMatch(/^outside /);
  }
  for (const file of ["/proc/self/cwd/.env", "/proc/self/root/etc/shadow", "/proc/1/cwd", "/proc/self/exe", "/proc/kcore"])
    expect(located(file, { sandboxed: true })).toMatch(/^outside /);
});

test("an admin's sensitive paths count as those that are known", () => {
  expect(located("plans/a.md", { sensitivePaths: compileSensitivePaths(["plans/**"]) })).toBe("inside plans/a.md sensitive");
});

test("files that every program may read are none of a tool's, which is held to the folder", () => {
  expect(located("/usr/include/stdio.h", { isTool: true })).toBe("outside /usr/include/stdio.h");
});

test("what an admin calls sensitive below `~` is so in the folder, which `~` names", () => {
  expect(located("notes/a", { sensitivePaths: compileSensitivePaths(["~/notes"]) })).toBe("inside notes/a sensitive");
});

test("without a folder, every absolute path lies outside", () => {
  expect(located("/work/folder/a", { root: undefined })).toBe("outside /work/folder/a");
});

describe("what a look at the folder has shown", () => {
  const facts: FolderFacts = {
    real: new Map([
      ["out", "/etc/shadow"],
      ["link", "/work/folder/src/a"],
      ["envlink", "/work/folder/.env"],
      [".env", "/work/folder/plain"],
      ["same", "/work/folder/same"],
    ]),
    madeHere: new Set(["scratch", "link", "contacts/ACTIVE.md"]),
    sensitive: [],
    linksOut: [],
    unfollowed: [],
    gap: null,
  };
  test.each([
    ["out", "outside /etc/shadow sensitive"],
    ["link", "inside src/a"],
    ["envlink", "inside .env sensitive"],
    // A sensitive name stays sensitive wherever the link leads.
    [".env", "inside plain sensitive"],
    ["scratch", "inside scratch made_here"],
    ["contacts/ACTIVE.md", "inside contacts/ACTIVE.md"],
    ["same", "inside same"],
    ["other", "inside other"],
  ])("decides about %s", (value, expected) => expect(located(value, { files: facts })).toBe(expected));
});
