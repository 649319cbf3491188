import { expect, test } from "vitest";
import { policyOfRules, shellCall } from "@/server/testing/guarded-calls";
import { decide } from "../decide";

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
