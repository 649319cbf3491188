import { describe, expect, test } from "vitest";
import { optionAmong, optionList } from "./option-list";

const found = (options: string, command: string) => optionAmong(command.split(" "), optionList(options));

describe("among the arguments of a program", () => {
  test.each([
    ["-x", "-x", "-x"],
    ["-x", "a -vx b", "-vx"],
    ["-x", "-x=1", "-x=1"],
    ["-x", "-v1x", "-v1x"],
    ["-x --exec", "-exec", "-exec"],
    ["--long", "--lon", "--lon"],
    ["--long", "--long=a", "--long=a"],
    ["-shell-escape", "-shell-escape", "-shell-escape"],
    ["-shell-escape", "-shell-esc", "-shell-esc"],
    ["-shell-escape", "--shell-esc", "--shell-esc"],
    ["-shell-escape", "-shell-escape=a", "-shell-escape=a"],
    ["-e4", "-e4=a", "-e4=a"],
    ["run", "a run", "run"],
    ["SHELL=*", "SHELL=a", "SHELL=a"],
    ["SHELL=*", "a -- SHELL=a", "SHELL=a"],
    ["-e --", "a -- b", "--"],
    ["-e", "-o -- -e", "-e"],
    ["!--check --checkpoint", "--checkp", "--checkp"],
    ["@", "a", ""],
  ])("%s is found in %s", (options, command, word) => {
    expect(found(options, command)).toBe(word);
  });

  test.each([
    ["-x", "a x --x"],
    ["-x", "-v=x"],
    ["-x", "-v-"],
    ["--a-x", "-v-"],
    ["-x", "-v/x"],
    ["-x", "a -- -x"],
    ["-x", "-- -x"],
    ["-x", "-o=-- -y -- b"],
    ["-xy", "-x"],
    ["-shell-escape", "-s"],
    ["-shell-escape", "-shelf"],
    ["-shell-escape", "--s"],
    ["-shell-escape", "shell-escape"],
    ["--long", "-long"],
    ["--long", "-l"],
    ["--long", "-"],
    ["run", "-run"],
    ["run", "runner"],
    ["run", "run=a"],
    ["run", "a -- run"],
    ["SHELL=*", "-SHELL=a"],
    ["!--check --checkpoint", "--check"],
    ["!--check --checkpoint", "--check=a"],
    ["--a-x", "-x"],
    ["-x-", "x-=a"],
    ["--long*", "a -- --longer"],
  ])("%s is not found in %s", (options, command) => {
    expect(found(options, command)).toBeNull();
  });
});
