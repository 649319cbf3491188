import { expect, test } from "vitest";
import { callOf, mcpTool, policyOfRules, readTool, shellCall, shellTool } from "@/server/testing/guarded-calls";
import type { AskedCall } from "../asked-call";
import { onTrial } from "../call-on-trial";
import { decide } from "../decide";
import { compileSensitivePaths } from "./sensitive-paths";
import { workspaceEscape } from "./workspace-escape";

const policy = policyOfRules([{ verdict: "allow" }]);
const found = (command: string) => decide(policy, shellCall(command), 0).findings.some(({ detector }) => detector === "workspace.escape");

test.each([
  "ls ${PWD%/*}/*",
  "cat ${PWD%/*}/c2/x",
  'ls "${PWD%%/c*}"',
  "ls ${PWD/c1/c2}",
  "ls ${PWD:0:4}",
  "d=$PWD; cat ${d%/*}/x",
  "cd ${PWD%/*} && ls",
  'ls "$(dirname "$PWD")"',
  "ls $(dirname $(pwd))/c2",
  "ls -d ..*",
  "cat ..*/x",
  "cat a/..*",
  "read x <<< /etc/passwd; cat $x",
  "while read f; do cat $f; done <<< /etc/passwd",
  'while read -r f; do cat "$f"; done <<< "../c2/x"',
  "while read f; do cat $f; done <<EOF\n/etc/passwd\nEOF",
  "echo /etc/passwd | while read f; do cat $f; done",
  "printf 'a\\n/etc/passwd\\n' | while read f; do head $f; done",
  "mapfile -t all <<< /etc/passwd; cat ${all[0]}",
  'for f in a ../c2/x; do cat "$f"; done',
  'for f in a /home/me/x; do cat "${f}"; done',
  'for f in a ../c2/x; do g="$f"; cat "$g"; done',
  `for f in ${"a ".repeat(40)} ./c2/x; do cat ".$f"; done`,
  'for x in a b c d e f .; do for y in a b c d e f .; do ls "$x$y"; done; done',
])("%s leads out of the workspace", (command) => {
  expect(found(command)).toBe(true);
});

test.each([
  "echo ${PWD##*/}",
  "ls ${PWD}/src",
  "tar cf ${PWD##*/}.tar .",
  'name=a.txt; cat "${name%.txt}.md"',
  "ls ${DIR:-src}",
  'cat "${PWD:-.}/a"',
  "ls -d .*",
  "cat ..?/x",
  "git diff HEAD~1..main",
  "seq 1 3; echo {1..3}",
  "while read f; do cat $f; done < list.txt",
  'for f in \'a b\' c; do cat "$f" "src/$f"; done',
  "while read f; do cat $f; done <<< 'a.txt b/c.txt'",
  "read x <<< /etc/passwd; echo $x",
  "ls | while read f; do wc -l $f; done",
  "dirname src/a.ts",
])("%s stays inside", (command) => {
  expect(found(command)).toBe(false);
});

test.each([
  "../x.sh",
  "./../x",
  "src/../../x",
  "/tmp/x",
  "~/x",
  "env ../x",
  "timeout 5 /tmp/x a",
  "cd .. && ./x",
  "/usr/../tmp/x",
  "find . -exec ../x {} +",
])("%s runs what lies outside of the workspace", (command) => {
  expect(found(command)).toBe(true);
});

test.each([
  "./x.sh",
  "src/x.sh",
  "cd src && ../x.sh",
  "/bin/ls",
  "/usr/local/go/bin/go build",
  "/opt/venv/bin/python a.py",
  '"$(npm bin)/eslint" src',
])("%s runs what is installed, or lies in the workspace", (command) => {
  expect(found(command)).toBe(false);
});

const root = "/data/a";
const saidOf = (call: AskedCall) =>
  decide(policy, { ...call, context: { ...call.context, folder: root } }, 0)
    .findings.filter(({ detector }) => detector === "workspace.escape")
    .map(({ message }) => message);
const saidOfCommand = (command: string) => saidOf(shellCall(command));

test.each<[command: string, said: string]>([
  ["cat /etc/x", "`/etc/x` lies outside the workspace."],
  ["cat /data/ab", "`/data/ab` lies outside the workspace."],
  ["cat /data/a/../b", "`/data/a/../b` lies outside the workspace."],
  ["cat /dev/nullx", "`/dev/nullx` lies outside the workspace."],
  ["cat /x/dev/null", "`/x/dev/null` lies outside the workspace."],
  ["cat /dev/null/../sda", "`/dev/null/../sda` lies outside the workspace."],
  ["ls /usr/bin/make", "`/usr/bin/make` lies outside the workspace."],
  ["make; ls /usr/bin/make", "`/usr/bin/make` lies outside the workspace."],
  ["env /x/usr/bin/make", "`/x/usr/bin/make` lies outside the workspace."],
  ["env /usr/bin/a/make", "`/usr/bin/a/make` lies outside the workspace."],
  ["/usr/bin/make; cat < /usr/bin/make", "`/usr/bin/make` lies outside the workspace."],
  ["cat ~/x", "`/~/x` lies in a home folder."],
  ["cat ~", "`/~` lies in a home folder."],
  ["cat '~/x'", "`~/x` lies in a home folder."],
  ["cat $X/y", "`$?/y` begins with a value that is not known, and may lie anywhere."],
  ["cat ../x", "`../x` leads above the workspace."],
  ["cat a/../../x", "`a/../../x` leads above the workspace."],
  ["cat ..", "`..` leads above the workspace."],
  ["cd a; cat ../../x", "`../../x` leads above the workspace."],
  ["cat .[.]/x", "`.[.]/x` has a glob that fits `..`."],
  ["cat .?/x", "`.?/x` has a glob that fits `..`."],
  ["cat a/.*/x", "`a/.*/x` has a glob that fits `..`."],
  ["cat ..*", "`..*` has a glob that fits `..`."],
  ['ls "$(dirname "$PWD")"', '`ls "$(dirname "$PWD")"` names the folder above the workspace.'],
  ["ls $(dirname $( pwd))", "`ls $(dirname $( pwd))` names the folder above the workspace."],
  ["ls $(dirname ` pwd`)", "`ls $(dirname ` pwd`)` names the folder above the workspace."],
  ["ls $(dirname `pwd`)", "`ls $(dirname `pwd`)` names the folder above the workspace."],
  ["ls $(dirname -- ${PWD})", "`ls $(dirname -- ${PWD})` names the folder above the workspace."],
  ["ls ${!HOME}", "`ls ${!HOME}` uses HOME, which leads outside the workspace."],
  ["ls ${#TMPDIR}", "`ls ${#TMPDIR}` uses TMPDIR, which leads outside the workspace."],
  ["a 'b' $USER", "`a 'b' $USER` uses USER, which leads outside the workspace."],
  ["a \"'$USER'\"", "`a \"'$USER'\"` uses USER, which leads outside the workspace."],
  ["x=$LOGNAME", "`x=$LOGNAME` uses LOGNAME, which leads outside the workspace."],
  ["rm -rf .", "`rm -rf .` deletes the workspace folder itself."],
  ["rm -rf *", "`rm -rf *` deletes the workspace folder itself."],
  ["rm -rf **", "`rm -rf **` deletes the workspace folder itself."],
  ["rm -rf ./.*", "`rm -rf ./.*` deletes the workspace folder itself."],
  ["rm -rf ./**", "`rm -rf ./**` deletes the workspace folder itself."],
  ["rm -rf ./", "`rm -rf ./` deletes the workspace folder itself."],
  ["rm -rf docs/..", "`rm -rf docs/..` deletes the workspace folder itself."],
  ["cd docs; rm -rf ..", "`rm -rf ..` deletes the workspace folder itself."],
  [`rm -rf ${root}`, `\`rm -rf ${root}\` deletes the workspace folder itself.`],
  [`rm -rf ${root}/`, `\`rm -rf ${root}/\` deletes the workspace folder itself.`],
  ["grm -rf .", "`grm -rf .` deletes the workspace folder itself."],
  ["rmdir .", "`rmdir .` deletes the workspace folder itself."],
  ["shred .", "`shred .` deletes the workspace folder itself."],
  ["srm -r .", "`srm -r .` deletes the workspace folder itself."],
  ["rimraf .", "`rimraf .` deletes the workspace folder itself."],
  ["unlink .", "`unlink .` deletes the workspace folder itself."],
  ["rm -rf build .", "`rm -rf build .` deletes the workspace folder itself."],
])("%s leaves the workspace, which is said: %s", (command, said) => {
  expect(saidOfCommand(command)[0]).toMatch(new RegExp(`^${said.replace(/\.$/, "").replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\.`));
});

test.each([
  `cat ${root}`,
  `cat ${root}/b/../c`,
  "cat /dev/fd/12",
  "env /bin/ls a",
  "env /usr/sbin/x",
  "env /usr/local/bin/x",
  "env /opt/homebrew/bin/x",
  "sudo ls; env /bin/cat a",
  "cd docs; rm -rf *",
  "cd docs; cat a",
  "cd docs; cat ../b",
  "rm -rf docs/*",
  "rm -- ''",
  "rm -rf x-",
  "rm -rf docs/.",
  "cat a/b.*",
  "cat a.?/b",
  "cat [ab]/c",
  "echo $HOME",
  "printf '%s' $HOME",
  "a '$HOME' b '$USER'",
  "a $HOMEPAGE",
  "a $X",
  "dirname $PWDX",
  "ls $(basename $PWD)",
])("%s does not", (command) => {
  expect(saidOfCommand(command)).toEqual([]);
});

test.each<[cwd: string, command: string, leaves: boolean]>([
  ["docs", "cat ../x", false],
  ["docs", "cat ../../x", true],
  [root, "ls", false],
  ["/x", "ls", true],
  ["..", "ls", true],
  ["../b", "ls", true],
  ["~", "ls", true],
])("a call that begins in %s with %s leaves the workspace: %s", (cwd, command, leaves) => {
  expect(saidOf(callOf(shellTool, { command, cwd })).length > 0).toBe(leaves);
});

test("a tool for files is asked for its paths, and nothing else", () => {
  expect(saidOf(callOf(readTool, { path: "/x" }))).toEqual(["`/x` lies outside the workspace."]);
  expect(saidOf(callOf(readTool, { path: "a", target: "b", oldPath: "../x" }))).toEqual(["`../x` leads above the workspace."]);
  expect(saidOf(callOf({ ...readTool, primaryArgument: "name" }, { name: "../x" }))).toHaveLength(1);
  expect(saidOf(callOf(readTool, { path: "a", text: "../x" }))).toEqual([]);
  expect(saidOf(callOf(readTool, { path: `/${"x".repeat(4_095)}` }))).toHaveLength(1);
  expect(saidOf(callOf(readTool, { path: `a/${"./".repeat(2_048)}x` }))).toEqual([expect.stringMatching(/is longer than any path\.$/)]);
  expect(saidOf(callOf({ ...readTool, primaryArgument: "query" }, { query: `/${"x".repeat(4_096)}` }))).toEqual([]);
  expect(saidOf(callOf(readTool, { path: `${root}/x` }))).toEqual([]);
  expect(decide(policy, callOf(readTool, { path: `${root}/x` }), 0).findings).toHaveLength(1);
  expect(saidOf(callOf({ ...readTool, needs: [] }, { path: "../x" }))).toEqual([]);
  expect(saidOf(callOf(mcpTool, { path: "../x" }))).toEqual([]);
  expect(saidOf(callOf({ ...mcpTool, needs: ["files"] }, { path: "../x" }))).toHaveLength(1);
  expect(saidOf(callOf({ ...mcpTool, name: "sandbox__bash" }, { command: "cat ../x" }))).toHaveLength(1);
  expect(saidOf(callOf({ ...mcpTool, name: "sandbox__bash", needs: ["files"] }, { command: "ls", path: "../x" }))).toHaveLength(1);
});

test("what a command names is looked for where it runs", () => {
  const settings = { sensitivePaths: compileSensitivePaths([]) };
  const everyIn = (command: string) =>
    workspaceEscape
      .find({ ...onTrial(shellCall(command)), context: { interactive: true, folder: root } }, settings)
      .map(({ message }) => message);
  expect(everyIn("cd /x; cat y")).toEqual(["`/x` lies outside the workspace.", "`y` is looked for in `/x`, outside the workspace."]);
  expect(everyIn(`cd ${root}/b; cat y ../c`)).toEqual([]);
  expect(everyIn("cat ..a a..b")).toEqual([]);
  expect(everyIn("cd ..; cat x")).toEqual(["`..` leads above the workspace.", "`x` leads above the workspace."]);
  expect(everyIn("rm -rf -. x- 'a -b'")).toEqual([]);
  expect(everyIn("rm -rf **x")).toEqual([]);
});
