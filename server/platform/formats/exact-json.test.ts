import { expect, test } from "vitest";
import { findInexactNumber, parseExactJson, writeExactJson } from "./exact-json";

test.each(["1e400", "-1e400", "12345678901234567890", "-9007199254740993", "[1, 9007199254740993]", '{"a":[{"b":1e999}]}'])(
  "%s holds a number that would become another one",
  (text) => {
    expect(findInexactNumber(parseExactJson(text))).not.toBeNull();
  },
);

test.each([
  "9007199254740991",
  "9007199254740992",
  "1e22",
  "1E+300",
  "0.1234567890123456789",
  '"12345678901234567890 1e400"',
  '{"12345678901234567890":1,"__proto__":1}',
  "[1,2.5,null,true]",
])("%s is read as always", (text) => {
  expect(parseExactJson(text)).toEqual(JSON.parse(text));
  expect(findInexactNumber(parseExactJson(text))).toBeNull();
});

test("the place of the number is told, and is the same after writing and reading", () => {
  const value = parseExactJson('{"a":1,"filter":[{"id":12345678901234567890}]}');
  expect(findInexactNumber(value)).toEqual(["filter", "0", "id"]);
  expect(findInexactNumber(parseExactJson(writeExactJson(value)))).toEqual(["filter", "0", "id"]);
});
