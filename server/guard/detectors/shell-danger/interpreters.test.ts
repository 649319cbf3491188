import { expect, test } from "vitest";
import { seenIn } from "@/server/testing/seen-in";

const fromInput = (name: string) => `inline_program: runs a ${name} program that comes from its input`;
const readBy = (name: string) => `inline_program: runs what comes from the input of ${name}`;

test.each<[sighting: string, commands: string[]]>([
  ["inline_program: runs a ts program that stands in the command line (-e)", ["ts -e x"]],
  ["inline_program: runs a python3 program that stands in the command line (-c)", ["python3 -c pty.spawn so cket"]],
  [fromInput("deno"), ["cat a | deno run -", "cat a | deno -"]],
  [fromInput("node"), ["cat a | node --no-v", "cat a | node --no-c --no--test", "cat a | node /dev/stdin"]],
  [fromInput("python3"), ["cat a | python3 --x-V --x-mx --x--help --helpx", "python3 <&3"]],
  [fromInput("pypy"), ["cat a | pypy --x-V --x-mx --x--help --helpx -Vx -x"]],
  [fromInput("php"), ["cat a | php --x-l -lx --x--version"]],
  ...["make", "gmake", "bmake", "awk", "gawk", "mawk", "nawk", "sed", "gsed"].map((name): [string, string[]] => [
    readBy(name),
    [`${name} -f - < a`, `cat a | ${name} --file=/dev/stdin`],
  ]),
  [readBy("make"), ["cat a | make --makefile -"]],
  ...["jshell", "nu"].map((name): [string, string[]] => [readBy(name), [`${name} < a`, `${name} -x /dev/fd/0 < a`]]),
  [readBy("parallel"), ["parallel < a", "parallel -j 16 < a", "parallel --jobs 50% < a"]],
  ["quiet: runs what comes from the input of m4", ["m4 < a"]],
  ["quiet: runs what comes from the input of gm4", ["cat a | gm4"]],
  ["inline_program: starts sh, which runs whatever it is given", ["sh a /dev/stdin"]],
  ["inline_program: starts bash, which runs whatever it is given", ["bash --helpx", "bash -x-V"]],
  ["inline_program: starts a shell from within a program", ["psql -c \"copy a to  program 'x'\"", "psql -c \"copy a from  program 'x'\""]],
  ["eval: runs a text as a command (-C)", ["readarray -Cx a"]],
  ["eval: runs a text as a script", [". 'a b'", ". 'b $'"]],
])("%s", (sighting, commands) => {
  for (const command of commands) expect(seenIn(command), command).toContain(sighting);
});

test.each([
  "cat a | deno run b.ts",
  "cat a | bun b.ts",
  "cat a | node run",
  "cat a | node b-",
  "cat a | node /dev/stdin.js",
  "cat a | pypy -V",
  "cat a | pypy -mx",
  "cat a | pypy --version",
  "python3 > a",
  "make -f -",
  "make -f a < b",
  "jshell",
  "jshell a < b",
  "parallel",
  "parallel -j 4 echo < a",
  "parallel a-b < a",
  "parallel x4 < a",
  "parallel 4x < a",
  "bash a-s",
  "sh x/dev/stdin",
])("no program comes from the command line or from an input in %s", (command) => {
  expect(seenIn(command).filter((sighting) => /^(?:inline_program|eval|reverse_shell):/.test(sighting))).toEqual([]);
});
