import { expect, it } from "vitest";
import { examples } from "@/server/testing/guard/examples";
import { readSed } from "./sed-script";

it.each([
  "",
  "1,20p",
  "$p",
  "s/a/b/g",
  "s|x|y|2p;p",
  "s/we/ew/;/x/d",
  "s/a\\/b/c/I",
  "s/\\[x/y/",
  "s/[a-z]/x/",
  "y/abc/def/",
  ":a;N;$!ba;s/\\n/ /g",
  "/[a-z]/,/\\[/{s/x/y/;p}",
  "\\,x,I!d",
  "0~2d",
  "2,+3d;3q",
  "1i\\\ne text that is no command",
  "a e text\\\nmore\np",
  "# e in a note\np",
  "l 5;=",
])("%s only changes text", (script) => expect(readSed(script)).toEqual({ reads: [], writes: [], isUnclear: false }));

it.each([
  ...examples`
    e id ¦ 1e id ¦ s/a/b/e ¦ s/a/b/ge ¦ p;e ¦ s/[/]/#/e ¦ /[/]/d ¦ s/[^/]*$// ¦ /x ¦ s/a ¦ k ¦ y/a/b/e ¦ b x y;e
  `,
  "p\ne id",
  "a text\\\\\ne id",
])("%s may run a command", (script) => expect(readSed(script).isUnclear).toBe(true));

it.each([
  ["w out", [], ["out"]],
  ["W out", [], ["out"]],
  ["s/a/b/w out", [], ["out"]],
  ["s/a/b/gw out\np", [], ["out"]],
  ["/x/r data", ["data"], []],
  ["R data\nw out", ["data"], ["out"]],
])("%s names the files that it reads and writes", (script, reads, writes) =>
  expect(readSed(script)).toEqual({ reads, writes, isUnclear: false }),
);
