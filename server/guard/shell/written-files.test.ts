import { describe, expect, test } from "vitest";
import { policyOfRules, shellCall } from "@/server/testing/guarded-calls";
import { decide } from "../decide";
import { readShell } from "./running-commands";

const runIn = (script: string) => readShell(script).running.flatMap(({ commands }) => commands.map(({ words }) => words.join(" ")));

describe("a script that is written to a file and run from there is read", () => {
  test.each([
    "echo id > x; sh x",
    "echo id > x; sh ./x",
    "echo id > ./x; . x",
    "echo id >| x; source x",
    "echo id &> x; bash -e x",
    "echo ls > x; echo id >> x; sh x",
    "echo id | tee x; sudo sh x",
    "echo id | tee -a x y; ./y",
    "cat > x <<E\nid\nE\nsh x",
    "mkdir a; cd a; echo id > x; sh x",
    "cd a; echo id > x; cd ..; a/x",
    "echo id > /tmp/x; /tmp/x",
    "f=x; echo id > $f; sh $f",
    "echo id > x; cat x | sh",
    "echo id > x; cat x > y; sh y",
    "echo id > x; mv x y; sh y",
    "echo id > x; cp -f x y; ./y",
    "echo id > x; sh < x",
    "echo id > x; { sh; } < x",
    "echo id > x; sh -c 'sh x'",
    "echo 'echo id > y; sh y' > x; sh x",
  ])("%s", (script) => expect(runIn(script)).toContain("id"));
});

describe("what is no script that is run is not taken for one", () => {
  test.each([
    "echo id > x; cat x",
    "echo id > x; echo ls > x; sh x",
    "echo id > x; sh y",
    "cd a; echo id > x; cd ..; sh x",
    "echo id > /dev/null; sh /dev/null",
    "echo id > $x; sh $x",
    "sh x; ls > x",
    `echo 'id ${"a".repeat(8_000)}' > x; sh x`,
  ])("%s", (script) => expect(runIn(script).filter((command) => /^id/.test(command))).toEqual([]));
});

test("a long script that is written and run is no reason not to read the rest", () => {
  const script = `cat > x <<'E'\n${"ls a b c | cat\n".repeat(300)}E\nsh x`;
  expect(() => readShell(script)).not.toThrow();
});

const allowing = policyOfRules([], { defaultPolicy: "allow" });
const verdictOf = (command: string) => decide(allowing, shellCall(command), 0).verdict;

describe("a file that the same command line writes with what nobody can follow is asked about when it runs", () => {
  test.each([
    "(echo id) > x; sh x",
    "{ echo id; } > x; sh x",
    "f() { echo $1 > x; }; f id; sh x",
    "f() { cat > x; }; echo id | f; sh x",
    "g() { sh x; }; echo id > x; g",
    "sh -c 'echo id > x'; sh x",
    "cat > x; sh x",
    "ls > x; . ./x",
    "ls > x; timeout 5 sh x",
    "ls > x; bash -o pipefail x",
    "ls > x; cp x y; sh y",
    "ls > x; mv x d; sh d/x",
    "ls > x; cp -t d x; d/x",
    "cat y | tee x; sh x",
    "{ ls; echo id; } | tee x; sh x",
    "echo ls > x; cat y >> x; sh x",
    "cat y > x; echo ls >> x; sh x",
    "for i in id; do echo $i; done > x; sh x",
    "exec > x; echo id; sh x",
    "exec 3> x; echo id >&3; sh x",
    "sed -i s/a/b/ x; sh x",
    "sort -o x y; sh x",
    "x=/; cat > y <<E\nls $x\nE\nsh y",
    'echo "ls $(date)" > x; sh x',
    "echo id 2> x; sh x",
    "echo id {out}> x; sh x",
    "ls > x.py; python3 x.py",
    "echo 'import os' > x.py; python3 -u x.py",
    "ls > x.py; python3 -m x",
    "ls > x; perl x",
    "ls > x; node --require=./x y",
    "ls > Makefile; make",
    "ls > x; awk -f x y",
    `echo 'id ${"a".repeat(8_000)}' > x; sh x`,
    `cat > x <<'E'\n${"ls a b c | cat\n".repeat(300)}E\nsh x`,
  ])("%s", (script) => expect(verdictOf(script)).toBe("require_approval"));
});

describe("what is written is not asked about where it is read, or does not run", () => {
  test.each([
    "cat > run.sh <<'E'\nls\nE\nsh run.sh",
    "echo A=1 > a.env; . ./a.env; echo $A",
    "echo ls > x; mv x d/; sh d/x",
    "date > log.txt; node app.js",
    "date > build/log.txt; python3 build.py log.txt",
    "./build.sh > build.log 2>&1; tail build.log",
    "make 2>&1 | tee make.log; grep error make.log",
    "sh run.sh 2> /dev/null",
    "/usr/bin/env > env; /usr/bin/env",
    "gcc -o app app.c && ./app",
  ])("%s", (script) => expect(verdictOf(script)).toBe("allow"));
});
