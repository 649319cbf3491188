import { expect, test } from "vitest";
import { withoutLongQuotes } from "./long-quotes";

const long = "a b;".repeat(60);
const short = (quote: string) => `${quote}\uE004${quote}`;

test.each<[script: string, text: string]>([
  [`echo '${long}' b`, `echo ${short("'")} b`],
  [`echo "${long}" b`, `echo ${short('"')} b`],
  [`echo 'a' '${long}'"${long}"`, `echo 'a' ${short("'")}${short('"')}`],
  [`echo it\\'s '${long}'`, `echo it\\'s ${short("'")}`],
])("what long quotes hold is left out of %j", (script, text) => {
  expect(withoutLongQuotes(script)?.text).toBe(text);
});

test.each([
  `echo ${long}`,
  "echo 'a' \"b\"",
  `echo "${long}$x"`,
  `echo "${long}\`id\`"`,
  `echo "${long}\\""`,
  `echo '${long}`,
  `echo \uE004 '${long}'`,
])("nothing is left out of %j", (script) => {
  expect(withoutLongQuotes(script)).toBeNull();
});

test("a text of very many pieces is not looked through for long quotes", () => {
  expect(withoutLongQuotes(`${"''".repeat(2_000)}'${long}'`)).not.toBeNull();
  expect(withoutLongQuotes(`${"''".repeat(3_000)}'${long}'`)).toBeNull();
});
