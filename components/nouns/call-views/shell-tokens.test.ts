import { describe, expect, test } from "vitest";
import { shellTokens } from "./shell-tokens";

const told = (command: string) => shellTokens(command).map(({ start, end, kind }) => `${kind} ${command.slice(start, end)}`);

describe("colours of a command line", () => {
  test("each simple command begins with its program, and options are flags", () => {
    expect(told("npm ci --ignore-scripts && rm -rf dist | tee log")).toEqual([
      "program npm",
      "flag --ignore-scripts",
      "operator &&",
      "program rm",
      "flag -rf",
      "operator |",
      "program tee",
    ]);
  });

  test("a variable before a program and a wrapper leave the next word to be the program", () => {
    expect(told("CI=1 sudo make x")).toEqual(["program sudo", "program make"]);
  });

  test("quotes, variables and comments are what they are", () => {
    expect(told(`echo "a && b" $HOME 'it' # rm -rf /`)).toEqual([
      "program echo",
      'text "a && b"',
      "variable $HOME",
      "text 'it'",
      "comment # rm -rf /",
    ]);
  });

  test("an unclosed quote colours the rest and loses nothing", () => {
    expect(told('echo "never closed')).toEqual(["program echo", 'text "never closed']);
  });
});
