import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compilePattern } from "../matching/argument-pattern";
import { whyNotAllowed } from "./allow-shell";
import { readShell } from "./running-commands";

/** A folder with the four programs and one more, `mark`, which leaves a file behind: nothing else can be run by name. */
const folder = mkdtempSync(path.join(tmpdir(), "guard-shells-"));
const programs = path.join(folder, "programs");
const work = path.join(folder, "work");
const marker = path.join(folder, "marker");
const files = ["a", "b c", "-delete", "-exec", "mark", "*", "x.ts", ";", "+", "{}"];

beforeAll(() => {
  mkdirSync(programs);
  mkdirSync(work);
  for (const name of ["ls", "cat", "grep", "find"]) {
    symlinkSync(execFileSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim(), path.join(programs, name));
  }
  writeFileSync(path.join(programs, "mark"), `#!/bin/sh\n: > '${marker}'\n`, { mode: 0o755 });
  for (const file of files) writeFileSync(path.join(work, file), "mark\n", { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shells = ["bash", "dash"].flatMap((name) => {
  const found = ["/bin", "/usr/bin"].map((bin) => path.join(bin, name)).find((file) => existsSync(file));
  return found ? [found] : [];
});

function isAllowed(command: string): boolean {
  const compiled = compilePattern("^(ls|cat|grep|find)\\b");
  try {
    return compiled.ok && whyNotAllowed(compiled.pattern, readShell(command)) === null;
  } catch {
    return false;
  }
}

/** Whether any shell runs `mark`, changes a file or makes one when it is given a command that is allowed. */
function escapesWith(command: string): string | null {
  for (const shell of shells) {
    spawnSync(shell, ["-c", command], {
      cwd: work,
      env: { PATH: programs, HOME: work, NODE_ENV: "test" },
      input: "mark\n",
      timeout: 5_000,
    });
    if (existsSync(marker)) return `${shell} ran mark`;
  }
  const now = execFileSync("/bin/ls", ["-1"], { cwd: work, encoding: "utf8" }).trim().split("\n");
  return now.length === files.length ? null : `the folder has now ${now.join(" ")}`;
}

const tokens = [
  ..."ls cat grep find mark env xargs timeout exec eval if then fi for in do done while case esac time command".split(" "),
  ...["-delete", "-exec", "{}", "+", "\\;", "-n", "1", "5", "a", "mark", "x=mark", "$x", "$(mark)", "`mark`", "<(mark)", "${x:-mark}"],
  ...[
    "'",
    '"',
    "\\",
    "$",
    "`",
    "(",
    ")",
    "{",
    "}",
    ";",
    "&",
    "|",
    "&&",
    "||",
    "<",
    ">",
    ">>",
    "<<E",
    "E",
    "\n",
    "\t",
    "#",
    "!",
    "*",
    "?",
    "[",
    "]",
    "~",
  ],
  ...[
    "$'",
    "\\'",
    '\\"',
    "\\\n",
    "$((",
    "))",
    "[[",
    "]]",
    "@(",
    "=",
    ",",
    "..",
    "2>&1",
    "/dev/null",
    "LC_ALL=C",
    "PATH=.",
    "--",
    "-",
    "1",
    "\u00e9",
  ],
];
const blank = fc.constantFrom(" ", " ", " ", "", "\n", ";", "|");
const soup = fc
  .tuple(
    fc.constantFrom("ls", "cat a", "grep x a", "find ."),
    fc.array(fc.tuple(blank, fc.constantFrom(...tokens)), { minLength: 1, maxLength: 8 }),
  )
  .map(([first, rest]) => first + rest.map((pair) => pair.join("")).join(""));

/** Pieces in which `mark` stands as text, put beside and into each other. */
const quotedMark = fc.constantFrom(
  "'mark'",
  '"mark"',
  "';mark;'",
  '"; mark"',
  "\\;mark",
  "'$(mark)'",
  "a\\ b",
  "'a'\"b\"",
  "$LANG",
  "*",
  "--",
  "'|mark'",
  "\\$\\(mark\\)",
  "#mark",
  "a#mark",
  "2>&1",
  "'\n'mark",
  '"\\"mark"',
  "'\\'",
  '"\'"',
  "mark",
);
const covered = fc
  .tuple(
    fc.constantFrom("ls", "cat", "grep x", "timeout 5 ls", "LC_ALL=C cat", "env ls", "xargs cat", "find . -name"),
    fc.array(quotedMark, { maxLength: 4 }),
  )
  .map(([name, args]) => [name, ...args].join(" "));
const joined = fc
  .array(fc.tuple(covered, fc.constantFrom(";", " | ", " && ", "\n", " || ", "; ")), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.flat().slice(0, -1).join(""));

/** Searches that run something on what they find, ended in many ways, with names that are files, too. */
const searchWord = fc.constantFrom(
  ..."ls cat grep find mark ./mark x {} {} + + ; -exec -exec -delete -name a . * ? [;] -[d]elete -d* $x -- ! -o ( ) , -quit"
    .split(" ")
    .map((word) => (/^[;()!]$/.test(word) ? `\\${word}` : word)),
);
const search = fc
  .tuple(
    fc.constantFrom("find .", "find a", "find", "timeout 5 find .", "find . -type f"),
    fc.constantFrom("-exec ls", "-exec cat", "-exec grep x", "-exec grep"),
    fc.array(searchWord, { maxLength: 6 }),
    fc.constantFrom("{} +", "{} \\;", "\\;", "';'", "+", ""),
    fc.array(searchWord, { maxLength: 3 }),
  )
  .map((parts) => parts.flat().join(" "));

test("a shell to try commands in is there", () => {
  expect(shells.length).toBeGreaterThan(0);
});

test("whatever is allowed runs nothing else and changes nothing, in bash and in dash", { timeout: 120_000 }, () => {
  let allowed = 0;
  fc.assert(
    fc.property(fc.oneof(soup, joined, search), (command) => {
      if (!isAllowed(command)) return;
      allowed += 1;
      expect(escapesWith(command)).toBeNull();
    }),
    { numRuns: 500 },
  );
  expect(allowed).toBeGreaterThan(20);
});
