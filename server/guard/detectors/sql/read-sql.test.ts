import { expect, test } from "vitest";
import { readSql, type SqlToken } from "./read-sql";

const marks: Record<SqlToken["kind"], string> = { word: "", name: "name ", string: "text ", number: "number ", sign: "" };
const shown = ({ kind, value, depth }: SqlToken) => `${marks[kind]}${value}${depth > 0 ? `@${depth}` : ""}`;
/** Each reading of a text: its tokens with how deep they stand, or why it cannot be read. */
const readingsOf = (text: string) =>
  readSql(text).map(({ statements, unreadable }) => unreadable ?? statements.map((tokens) => tokens.map(shown).join(" | ")).join(" ; "));

test.each<[text: string, readings: string[]]>([
  ["SELECT a", ["select | a"]],
  ["a;b;;c", ["a ; b ; c"]],
  ["(a(b)c)", ["( | a@1 | (@1 | b@2 | )@1 | c@1 | )"]],
  ["a)", ["a parenthesis is closed that is not open"]],
  ["(a", ["a parenthesis is not closed"]],
  ["a -- b\nc", ["a | c"]],
  ["a --b\nc", ["a | c", "a | - | - | b | c"]],
  ["a --", ["a"]],
  ["a--1", ["a", "a | - | - | number 1"]],
  ["a # b\nc", ["a | # | b | c", "a | c"]],
  ["a # b", ["a | # | b", "a"]],
  ["a /* b */ c", ["a | c"]],
  ["a /* /* */ b */ c", ["a | c", "a | b | c"]],
  ["a /*b", ["a comment is not closed"]],
  ["a /*! b */ c", ["a | c", "a | b | c"]],
  ["a /*!50000b*/ c", ["a | c", "a | b | c"]],
  ["a /*M!100b*/ c", ["a | c", "a | b | c"]],
  ["a */ b", ["a | * | / | b"]],
  ["a * / b", ["a | * | / | b"]],
  ["'a''b' c", ["text a'b | c"]],
  ["'a\\'b' c'", ["text a\\ | b | text  c", "a quote is not closed"]],
  ["'a\\\\' b", ["text a\\\\ | b", "text a\\\\ | b"]],
  ["e'a\\'b'", ["e | text a\\'b", "e | text a\\'b"]],
  ["E'a\\'b'", ["e | text a\\'b", "e | text a\\'b"]],
  ["e 'a\\'", ["e | text a\\", "a quote is not closed"]],
  ["xe'a\\'", ["xe | text a\\", "a quote is not closed"]],
  ['"a""b"', ['name a"b', 'text a"b']],
  ['"a\\"b"', ["a quote is not closed", 'text a\\"b']],
  ["`a``b`", ["name a`b"]],
  ["`a\\`", ["name a\\", "name a\\"]],
  ["'a", ["a quote is not closed"]],
  ['"a', ["a quote is not closed", "a quote is not closed"]],
  ["`a", ["a quote is not closed"]],
  ["$$a$$ b", ["text a | b", "$ | $ | a$$ | b"]],
  ["$t$a$$b$t$ c", ["text a$$b | c", "$ | t$a$$b$t$ | c"]],
  ["$1 $2", ["$ | number 1 | $ | number 2"]],
  ["$a", ["$ | a"]],
  ["$$a", ["a quote is not closed", "$ | $ | a"]],
  ["$t1_x$a$t1_x$", ["text a", "$ | t1_x$a$t1_x$"]],
  ["$1t$a$1t$", ["$ | number 1 | t$a$1t$", "$ | number 1 | t$a$1t$"]],
  ["_a@b$c#d é", ["_a@b$c#d | é", "_a@b$c#d | é"]],
  ["@@x", ["@@x"]],
  ["1.5e10 1e-5 2E+3 3e x", ["number 1.5e10 | number 1e-5 | number 2e+3 | number 3 | e | x"]],
  ["1a", ["number 1 | a"]],
  ["a=b<>c", ["a | = | b | < | > | c"]],
  ["a\tb\nc", ["a | b | c"]],
  ["- 5", ["- | number 5"]],
  ["/ 5", ["/ | number 5"]],
  ["a;'b;c';d", ["a ; text b;c ; d"]],
  ["''", ["text "]],
  ['("a")', ["( | name a@1 | )", "( | text a@1 | )"]],
])("%j is read as the standard reads it, and as MySQL does where that differs: %j", (text, readings) => {
  expect(readingsOf(text)).toEqual(readings);
});

test("a word has all of its letters, whatever alphabet they are of", () => {
  const [reading] = readSql("naïve Müller_1 x$y @v größe");
  expect(reading?.statements[0]?.map(({ value }) => value)).toEqual(["naïve", "müller_1", "x$y", "@v", "größe"]);
});
