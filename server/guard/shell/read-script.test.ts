import { describe, expect, test } from "vitest";
import { readScript, type SimpleCommand } from "./read-script";
import { ReadingBudget } from "./reading-budget";

const read = (script: string) => readScript(script, new ReadingBudget());
const long = "plain text\n".repeat(20);

/** `text @inside <from-to &background f,g ~repeats` */
function shown({ text, inside, pipedFrom, background, functions, repeats }: SimpleCommand): string {
  return [
    text,
    ...(inside === null ? [] : [`@${inside}`]),
    ...(pipedFrom ? [`<${pipedFrom.start}-${pipedFrom.end}`] : []),
    ...(background ? ["&"] : []),
    ...(functions.length > 0 ? [functions.join(",")] : []),
    ...(repeats ? ["~"] : []),
  ].join(" ");
}

describe("the commands of a script", () => {
  test.each<[script: string, commands: string[]]>([
    ["ls a; id", ["ls a", "id"]],
    ["ls; id & cat", ["ls", "id &", "cat"]],
    ["ls $(id a) | cat &", ["ls $(id a) &", "id a @0 &", "cat <0-2 &"]],
    ["a | b $(c) | d", ["a", "b $(c) <0-1", "c @1 <0-1", "d <0-3"]],
    ["x | (a; b | c) | d", ["x", "a <0-1", "b <0-1", "c <0-3", "d <0-4"]],
    ["f() { ls; g() { id; }; }; cat", ["ls f ~", "id f,g ~", "cat"]],
    ["while a; do b; done; c", ["a ~", "b ~", "c"]],
    ["until a; do b; done", ["a ~", "b ~"]],
    ["for x in a; do b; done", ["b ~"]],
    ["select x in a; do b; done", ["b ~"]],
    ["for ((;;)); do a; done", ["a ~"]],
    ["if a; then b; fi", ["a", "b"]],
    ["ls `echo \\`id a\\``; ls", ["ls `echo \\`id a\\``", "echo `id a` @0", "id a @1", "ls"]],
    ["ls $((id) | cat)", ["ls $((id) | cat)", "id @0", "cat @0 <1-2"]],
    ["ls <(id)", ["ls <(id)", "id @0"]],
  ])("%s are %j", (script, commands) => {
    expect(read(script).commands.map(shown)).toEqual(commands);
    expect(read(script).commands.map(({ index }) => index)).toEqual(commands.map((_, index) => index));
  });

  test("stand beside its redirections, its loops and its arithmetic", () => {
    const { redirects, loops, arithmeticBodies } = read("for x in a; do b > c; done < d; select y in b; do c; done; ((ls a)); echo $((1))");
    expect(redirects.map(({ operator }) => operator)).toEqual([">", "<"]);
    expect(loops.map(({ name }) => name.value)).toEqual(["x", "y"]);
    expect(arithmeticBodies).toEqual(["ls a"]);
  });
});

describe("a long here-document", () => {
  test("is put aside, and the rest is read as it is", () => {
    const script = read(`cat <<E\n${long}E\nls`);
    expect([...script.hereDocuments.values()]).toEqual([long]);
    expect(script.commands.map(({ text }) => text)).toEqual(["cat <<E", "ls"]);
    expect(read("cat <<E\na\nE").hereDocuments.size).toBe(0);
  });

  test.each([
    [`echo 'cat <<E\n${long}E\n'; ls`, [`echo 'cat <<E\n${long}E\n'`, "ls"]],
    [`# <<E\n${long}E`, [...Array.from({ length: 20 }, () => "plain text"), "E"]],
  ])("that is none is read with the rest: %j", (script, commands) => {
    expect(read(script).commands.map(({ text }) => text)).toEqual(commands);
    expect(read(script).hereDocuments.size).toBe(0);
  });

  test("that is none costs what it has cost twice", () => {
    const budget = new ReadingBudget();
    const marked = `echo 'cat <<E\n${"a b c d\n".repeat(160)}E\n'`;
    expect(() => readScript(marked, budget)).not.toThrow();
    expect(() => readScript(marked, budget)).toThrow("too much");
  });
});

test.each([
  ["ls (", "a stray `(`"],
  ["ls \t(", "a stray `(`"],
  ["ls \\\n\\\n (", "a stray `(`"],
  ["a=b ls a(", "a stray `("],
  ["ls($`", "a stray `(`"],
  ["ls >/dev/null (", "a stray `(`"],
  ["cat <<E x\na\nE", "a here-document `<<E`"],
  ["cat <<E <b c\n(a\nE", "a here-document `<<E`"],
  [`ls${" ".repeat(98)}(`, "a stray `(`"],
])("what is no word is said: %j", (script, obstacle) => {
  expect(read(script).obstacle).toContain(obstacle);
});

test.each([
  "ls",
  "ls >/dev/null a",
  "ls 2>&1 a >/dev/null b",
  "ls a{",
  "ls { a",
  "ls; (id)",
  "! time ls",
  "time -p ls",
  "ls\n(id)",
  "cat a\\\n b",
])("nothing is wrong with %j", (script) => {
  const { obstacle, unreadable, joined } = read(script);
  expect({ obstacle, unreadable, joined }).toEqual({ obstacle: null, unreadable: null, joined: null });
});

test.each([
  ["ls a (b)", "unexpected token '(' at character 6"],
  ["ls 'b", "unterminated single quote at character 4"],
  ["ls $(", "unterminated command substitution at character 4"],
])("what cannot be read is said with its place: %j", (script, unreadable) => {
  expect(read(script).unreadable).toBe(unreadable);
});

test.each([
  ["ls 1>(rm x)", "1>(rm x)"],
  ["ls 1>(rm x)y", "1>(rm x)"],
  ["ls {fd}<(rm x)", "{fd}<(rm x)"],
  ["for x in 1<(rm x); do ls; done", "1<(rm x)"],
  ["case 3<(rm x) in a) ls;; esac", "3<(rm x)"],
  ["x=(1<(rm x))", "1<(rm x)"],
])("a substitution behind a number cannot be read: %j", (script, hidden) => {
  expect(read(script).unreadable).toBe(`a substitution is hidden in \`${hidden}\``);
});

test.each(["ls 1\\>\\(x", "ls '1>(x)' \"2<(x)\"", "ls a1>(x)", "ls <(x)", 'grep -E "a<(b|c)>(d)" x'])(
  "nothing is hidden in %j",
  (script) => {
    expect(read(script).unreadable).toBeNull();
  },
);

test.each([
  ["ls ${a:-", "${a:-", "}", 3],
  ["ls $(ls ", "$(ls ", ")", 3],
  ["ls <(ls ", "<(ls ", ")", 3],
  ["ls $((", "$((", "))", 7],
  ["ls $(( $(ls ", "$(( $(ls ", ") ))", 1],
  ["cat <<E\n$((", "$((", "))", 7],
])("what is nested so deeply in %j that reading it takes long cannot be read", (first, open, close, readable) => {
  const nested = (more: number) =>
    `${first}${open.repeat(more)}${"x".repeat(14_000)}${close.repeat(more + 1)}${first.startsWith("cat") ? "\nE" : ""}`;
  expect(read(nested(readable)).unreadable).toBeNull();
  expect(read(nested(readable + 1)).unreadable).toBe("it is nested too deeply");
});

test("a text that reads as something else when its continued lines are joined is read as both", () => {
  const { unreadable, joined } = read("X=a; ls x$\\\n{X} \\\\\\\\\\\n b");
  expect(unreadable).toBe("it reads as something else when its continued lines are joined");
  expect(joined).toBe("X=a; ls x$" + "{X} \\\\\\\\ b");
  expect(read("ls '$\\\n{X'").joined).toBeNull();
});
