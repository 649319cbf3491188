import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refusedFile, roadsToDeletion } from "@/server/testing/guard/roads-to-deletion";
import { workspaceShell } from "../shell/workspace-shell";
import { noOpenings } from "./openings";

const content = "a,b\n1,2\n";
let base = "";
// Commands have a /tmp of their own.
beforeAll(() => {
  base = realpathSync(mkdtempSync("/var/tmp/handrail-refused-"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

let folders = 0;
function newFolder(): string {
  const root = path.join(base, `${++folders}`);
  mkdirSync(path.join(root, "sub/inner"), { recursive: true });
  writeFileSync(path.join(root, refusedFile), content);
  writeFileSync(path.join(root, "other.csv"), "other\n");
  writeFileSync(path.join(root, "sub/inner/deep.csv"), content);
  const git = (...words: string[]) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...words], { cwd: root });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  return root;
}

const run = (root: string, command: string, refused: readonly string[]) =>
  workspaceShell(root, { openings: { ...noOpenings, refused } }).run(command, {
    timeoutMs: 120_000,
    signal: new AbortController().signal,
    maxBytesPerStream: 100_000,
    environment: { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b.example", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b.example" },
  });
const isKept = (root: string, file = refusedFile) =>
  existsSync(path.join(root, file)) && readFileSync(path.join(root, file), "utf8") === content;

/** Runs every road in a folder of its own below one root, in one sandbox; returns the roads after which the file was gone. */
async function roadsThatDelete({ isRefused }: { isRefused: boolean }): Promise<string[]> {
  const root = path.join(base, isRefused ? "refused" : "free");
  const template = newFolder();
  mkdirSync(root);
  for (const index of roadsToDeletion.keys()) execFileSync("cp", ["-r", template, path.join(root, `${index}`)]);
  const lines = roadsToDeletion.map((road, index) => `(cd ${index} && timeout 20 bash -c "$(cat <<'END'\n${road}\nEND\n)")`);
  writeFileSync(path.join(root, "roads.sh"), lines.join("\n"));
  await run(root, "bash roads.sh", isRefused ? roadsToDeletion.map((_road, index) => `${index}/${refusedFile}`) : []);
  return roadsToDeletion.filter((_road, index) => !isKept(path.join(root, `${index}`)));
}

test("every other road to a refused deletion fails in the sandbox, and is a road where nothing was refused", async () => {
  expect(await roadsThatDelete({ isRefused: true })).toEqual([]);
  const roads = await roadsThatDelete({ isRefused: false });
  // A machine may lack one of the programs.
  expect(roads.length, roadsToDeletion.filter((road) => !roads.includes(road)).join("\n")).toBeGreaterThanOrEqual(71);
}, 180_000);

test.each([
  ["a file in a folder", "sub/inner/deep.csv", "mv sub gone || mv sub/inner gone || rm -rf sub"],
  ["a folder", "sub", "rm -rf sub; mv sub gone; : > sub/inner/deep.csv; touch sub/new"],
  ["what a glob names", "sub/*/*.csv", "rm -f sub/inner/deep.csv; mv sub gone"],
])("%s that people refused to have changed stays where it is", async (_what, refused, command) => {
  const root = newFolder();
  const { refusedPaths } = await run(root, command, [refused]);
  expect(isKept(root, "sub/inner/deep.csv")).toBe(true);
  expect(existsSync(path.join(root, "sub/new"))).toBe(false);
  expect(refusedPaths).toEqual([refused]);
});

test("the rest of the folder is writable beside a refused path, and what does not exist is no hindrance", async () => {
  const root = newFolder();
  const { exitCode, refusedPaths } = await run(root, "cat data.csv && rm other.csv && touch sub/new new && mv sub moved", [
    refusedFile,
    "missing.csv",
    "missing/*",
    ".",
    "../outside",
    "/etc",
  ]);
  expect({ exitCode, refusedPaths }).toEqual({ exitCode: 0 });
  expect(existsSync(path.join(root, "moved/new"))).toBe(true);
});
