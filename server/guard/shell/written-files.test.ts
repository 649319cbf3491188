import { describe, expect, test } from "vitest";
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
