import { parse } from "unbash";
import { expect, test } from "vitest";
import { expandWord, resolveWord, unknownPiece } from "./words";

const home = { home: true, pwd: "sub" };

function words(text: string, known: Parameters<typeof expandWord>[1] = home) {
  const [statement] = parse(`echo ${text}`).commands;
  const command = statement?.command;
  if (command?.type !== "Command") throw new Error("not a command");
  return command.args.flatMap((word) => (word.type === "Word" ? expandWord(word, known) : []));
}

const shown = (text: string, known?: Parameters<typeof expandWord>[1]) =>
  words(text, known).map(({ value, certainty }) => `${certainty} ${value.replaceAll(unknownPiece, "?").replaceAll("\uE001", "H")}`);

test.each([
  ["plain", ["literal plain"]],
  ["'a b'\"c d\"e\\ f", ["literal a bc de f"]],
  ["*.ts", ["glob *.ts"]],
  ["'*'.ts", ["literal *.ts"]],
  ["src/?[a-z]", ["glob src/?[a-z]"]],
  ["$x", ["unknown ?"]],
  ["a$" + "{x}b", ["unknown a?b"]],
  ['"a$x"', ["unknown a?"]],
  ["$(ls)", ["unknown ?"]],
  ["`ls`", ["unknown ?"]],
  ["$((1+1))", ["unknown ?"]],
  ["$'a'", ["unknown ?"]],
  ["+(a)", ["unknown ?"]],
  ["<(ls)", ["literal /dev/fd/63"]],
  ["~", ["literal H"]],
  ["~/x", ["literal H/x"]],
  ['"~/x"', ["literal ~/x"]],
  ["~ann/x", ["literal /home/ann/x"]],
  ["~+/x", ["unknown ?"]],
  ["$HOME/x", ["literal H/x"]],
  ["$" + "{HOME}", ["literal H"]],
  ["$" + "{HOME:-x}", ["unknown ?"]],
  ["a$HOME", ["unknown a?"]],
  ["$PWD/x", ["literal H/sub/x"]],
  ['"$(pwd)/x"', ["literal H/sub/x"]],
  ["`pwd`", ["literal H/sub"]],
  ["{a,b}.c", ["literal {a,b}.c", "literal a.c", "literal b.c"]],
  ["{a,../x}", ["literal {a,../x}", "literal a", "literal ../x"]],
  ["{~,$x}", ["unknown ?"]],
])("%s", (text, expected) => expect(shown(text)).toEqual(expected));

test("HOME and PWD are unknown where the script may have changed them", () => {
  expect(shown("~/x $HOME $PWD", { home: false, pwd: null })).toEqual(["unknown ?/x", "unknown ?", "unknown ?"]);
  expect(shown("$PWD", { home: true, pwd: "." })).toEqual(["literal H"]);
  expect(shown("$PWD", { home: true, pwd: "/etc" })).toEqual(["unknown ?"]);
});

test("a word that stands for exactly one is unknown when braces make several of it", () => {
  const [word] = words("{a,b}");
  const parsed = parse("echo {a,b} c").commands[0]?.command;
  if (parsed?.type !== "Command") throw new Error("not a command");
  const [braces, plain] = parsed.args.flatMap((argument) => (argument.type === "Word" ? [argument] : []));
  expect(word?.text).toBe("{a,b}");
  expect(braces && resolveWord(braces, home)).toMatchObject({ certainty: "unknown", value: unknownPiece, start: 5, end: 10 });
  expect(plain && resolveWord(plain, home, 100)).toMatchObject({ certainty: "literal", value: "c", start: 111, end: 112 });
});
