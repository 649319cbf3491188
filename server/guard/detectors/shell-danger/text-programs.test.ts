import { describe, expect, test } from "vitest";
import { dangerInAwk } from "./awk-program";
import { dangerInSed } from "./sed-script";

describe("an awk program", () => {
  test.each([
    ["{ print $1 }", null],
    ["$3 > 1000 { print $1 }", null],
    ["/a|b/ { n++ } END { print n }", null],
    ['{ print "a | b > c" }', null],
    ["{ print (a > b) }", null],
    ["{ x = a / b; y = c / d } # system(x)", "runs"],
    ["{ if ($1 > 2) print }", null],
    ["a || b { print }", null],
    ['BEGIN { system("ls") }', "runs"],
    ['BEGIN { if (1) /"/; system("ls") #"/ }', "runs"],
    ['{ print | "sh" }', "runs"],
    ['BEGIN { "date" | getline x }', "runs"],
    ['BEGIN { f = "system"; @f("ls") }', "runs"],
    ['@load "x"', "loads"],
    ['{ print > "out" }', "writes"],
    ['{ printf "%s", $1 >> "out" }', "writes"],
    ["{ print $1, $2 > $3 }", "writes"],
    ['{ print "a }', "unclear"],
  ])("%s: %s", (program, danger) => {
    expect(dangerInAwk(program)).toBe(danger);
  });
});

describe("a sed script", () => {
  test.each([
    ["s/a/b/g", null],
    ["s/we/ew/;/x/d", null],
    ["1,20p", null],
    ["/^#/,/e$/d", null],
    ["$!N;s/\\n/ /", null],
    ["s|/e|/w|g", null],
    ["y/abc/wer/", null],
    ["/x/{s/a/b/;p}", null],
    ["1e ls", "runs"],
    ["s/a/b/e", "runs"],
    ["s/a/b/ge", "runs"],
    ["s,a\\,b,c,e", "runs"],
    ["/x/{p;e ls\n}", "runs"],
    ["\\,x,e ls", "runs"],
    ["w out", "writes"],
    ["s/a/b/w out", "writes"],
    ["1~2w out", "writes"],
    ["r in", "reads"],
    ["s/a/b", "unclear"],
    ["a\\\ntext with e\ne ls", "runs"],
    ["i\\\nfirst\\\nsecond", null],
  ])("%s: %s", (script, danger) => {
    expect(dangerInSed(script)).toBe(danger);
  });
});
