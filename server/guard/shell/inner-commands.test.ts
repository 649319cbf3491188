import { describe, expect, test } from "vitest";
import { folderFor, innerCommandsOf, isShell, valuesOf } from "./inner-commands";

const innerOf = (line: string, input: string | null = null) => {
  const [name = "", ...args] = line.split(" ");
  return innerCommandsOf(name, [name, ...args], input);
};

describe("a command that hands a script to a shell", () => {
  test.each<[line: string, scripts: string[]]>([
    ["eval ls a", ["ls a"]],
    ["eval -- ls", ["ls"]],
    ["trap ls EXIT", ["ls"]],
    ["trap -- ls EXIT", ["ls"]],
    ["trap x- EXIT", ["x-"]],
    ["trap -l", []],
    ["source a", ["a"]],
    [". a b", ["a"]],
    ["alias a=ls b=id c", ["ls", "id"]],
    ["alias a=b=c", ["b=c"]],
    ["mapfile -C ls a", ["ls"]],
    ["readarray -C ls a", ["ls"]],
    ["su -c ls", ["ls"]],
    ["su me -c ls -x", ["ls"]],
    ["su --command ls", ["ls"]],
    ["su --session-command=ls", ["ls"]],
    ["su --comm=ls", ["ls"]],
    ["runuser me -c ls", ["ls"]],
    ["runuser --command=ls me", ["ls"]],
    ["runuser --session-command ls", ["ls"]],
    ["sg me ls x", ["ls"]],
    ["sg me -c ls", ["ls", "-c"]],
    ["script -c ls", ["ls"]],
    ["script -qc ls a", ["ls"]],
    ["script --command ls", ["ls"]],
    ["script a", []],
    ["tmux new ls", ["ls"]],
    ["sh -c ls", ["ls"]],
    ["bash -lc ls x", ["ls"]],
    ["bash -o errexit -c ls", ["ls"]],
    ["bash +o x -c ls", ["ls"]],
    ["bash -eo x -c ls", ["ls"]],
    ["bash -O x -c ls", ["ls"]],
    ["bash +O x -c ls", ["ls"]],
    ["bash --rcfile x -c ls", ["ls"]],
    ["bash --init-file x -c ls", ["ls"]],
    ["bash -c -- ls", ["ls"]],
    ["bash -c -x ls", ["ls"]],
    ["bash -c", []],
    ["bash ls", ["ls"]],
    ["bash -x ls", ["ls"]],
    ["bash -- ls", ["ls"]],
    ["bash ./a", []],
    ["bash --c ls", ["ls"]],
    ["bash -5c ls", ["ls"]],
    ["bash -o5 ls", ["ls"]],
    ["ls -c x", []],
  ])("%s runs %j", (line, scripts) => {
    expect(innerOf(line)).toEqual({ commands: [], scripts });
  });

  test.each<[line: string, scripts: string[]]>([
    ["sh", ["id"]],
    ["sh -x", ["id"]],
    ["sh ls", ["id", "ls"]],
    ["sh ./a", ["id"]],
    ["sh -c ls", ["ls"]],
    ["at now", ["id"]],
    ["batch", ["id"]],
    [". /dev/stdin", ["/dev/stdin", "id"]],
    [". -", ["-", "id"]],
    [". /dev/fd/10", ["/dev/fd/10", "id"]],
    [". /proc/self/fd/0", ["/proc/self/fd/0", "id"]],
    [". /proc/$$/fd/10", ["/proc/$$/fd/10", "id"]],
    ["source /proc/12/fd/0", ["/proc/12/fd/0", "id"]],
    [". a", ["a"]],
    [". a/dev/stdin", ["a/dev/stdin"]],
    [". /dev/stdin/a", ["/dev/stdin/a"]],
    [". /dev/fd/x", ["/dev/fd/x"]],
    ["source", [""]],
    ["ls", []],
  ])("%s runs %j where `id` stands on its input", (line, scripts) => {
    expect(innerOf(line, "id")).toEqual({ commands: [], scripts });
  });

  test("has none without an input, where it only reads that", () => {
    for (const line of ["sh", "at now", "batch"]) expect(innerOf(line)).toEqual({ commands: [], scripts: [] });
    expect(innerOf(". /dev/stdin").scripts).toEqual(["/dev/stdin"]);
  });
});

describe("a command that runs others", () => {
  test.each<[line: string, commands: string[][], scripts?: string[]]>([
    ["find . -exec ls {} ;", [["ls", "{}"]]],
    ["find . -exec ls + -execdir id ; -ok a -okdir b c", [["ls"], ["id"], ["a", "-okdir", "b", "c"]]],
    ["find . -okdir b c +", [["b", "c"]]],
    ["find . -exec", [[]]],
    ["find . -name x", []],
    ["fd x -x ls a", [["ls", "a"]]],
    ["fd -X ls", [["ls"]]],
    ["fd --exec ls", [["ls"]]],
    ["fdfind --exec-batch ls", [["ls"]]],
    ["fd a-x --execute b", []],
    ["docker run a ls", [["ls"]]],
    ["docker run --rm -it -v a:b -e X --name n a ls x", [["ls", "x"]]],
    ["podman exec -u me c ls", [["ls"]]],
    ["docker --context x exec c ls", [["ls"]]],
    ["docker ps a ls", []],
    ["docker run a", [[]]],
    ["xargs ls", [["ls"]]],
    ["runuser -u me -g x ls -a", [["ls", "-a"]]],
    ["runuser --user me -- ls", [["ls"]]],
    ["runuser --user=me --group x --supp-group y --shell z --whitelist-environment X ls", [["ls"]]],
    ["runuser me ls", []],
    ["runuser -u me", []],
    ["start-stop-daemon --start --exec ls -- a b", [["ls", "a", "b"]]],
    ["start-stop-daemon -S -x ls", [["ls"]]],
    ["start-stop-daemon -S -a ls", [["ls"]]],
    ["start-stop-daemon -S --startas ls -- --exec id", [["ls", "--exec", "id"]]],
    ["start-stop-daemon -S -- ls a", [["ls", "a"]]],
    ["start-stop-daemon -K", []],
    ["env -S ls", [], ["ls"]],
    ["env -u X ls -S x", [["ls", "-S", "x"]]],
    ["env x-Sy ls", [["x-Sy", "ls"]]],
    ["npx ls -c x", [["ls", "-c", "x"]], ["x"]],
    ["nice ls -c x", [["ls", "-c", "x"]]],
  ])("%s runs %j", (line, commands, scripts = []) => {
    expect(innerOf(line)).toEqual({ commands, scripts });
  });

  test("gets words of its input from xargs alone", () => {
    expect(innerOf("xargs ls", " a  b\n").commands).toEqual([["ls", "a", "b"]]);
    expect(innerOf("xargs ls", "").commands).toEqual([["ls"]]);
    expect(innerOf("xargs", "a").commands).toEqual([]);
    expect(innerOf("nice ls", "a b").commands).toEqual([["ls"]]);
  });
});

test.each<[line: string, wrapped: string[], folder: string | null]>([
  ["env -C a ls", ["ls"], "a"],
  ["env --chdir=a ls", ["ls"], "a"],
  ["env -D a ls", ["ls"], null],
  ["sudo -D a ls", ["ls"], "a"],
  ["sudo --chdir a ls", ["ls"], "a"],
  ["sudo -C a ls", ["ls"], null],
  ["nice -C a ls", ["ls"], null],
  ["env ls -C a", ["ls", "-C", "a"], null],
  ["env ls", ["env", "ls", "-C", "a"], null],
])("%s goes to the folder for %j: %s", (line, wrapped, folder) => {
  const words = line.split(" ");
  expect(folderFor(words[0] ?? "", words, wrapped)).toBe(folder);
});

test.each<[args: string[], values: string[]]>([
  [["-c", "x"], ["x"]],
  [["-cx"], ["x"]],
  [["-ac", "x", "y"], ["x"]],
  [["--command=x"], ["x"]],
  [["--command", "x", "y"], ["x"]],
  [["--comm", "x"], ["x"]],
  [["-c"], []],
  [["c", "x"], []],
  [["xc", "-5c"], []],
  [
    ["-c", "x", "-c", "y"],
    ["x", "y"],
  ],
  [["--", "-c="], ["="]],
])("the values of an option in %j are %j", (args, values) => {
  expect(valuesOf(args, ["-c", "--command"])).toEqual(values);
});

test("a shell is known by its name", () => {
  const names = "sh bash dash zsh ksh ksh93 mksh pdksh lksh ash rbash posh yash csh tcsh fish sash elvish xonsh osh";
  for (const name of names.split(" ")) expect(isShell(name), name).toBe(true);
  expect(isShell("ssh")).toBe(false);
});

describe("xargs with a place for each line", () => {
  const commandsOf = (words: readonly string[], input: string | null) => innerCommandsOf("xargs", ["xargs", ...words], input).commands;

  test.each<[words: string[], commands: string[][]]>([
    [
      ["-I{}", "ls", "{}/x"],
      [
        ["ls", "a/x"],
        ["ls", "b c/x"],
      ],
    ],
    [
      ["-I", "%", "%", "-x"],
      [
        ["a", "-x"],
        ["b c", "-x"],
      ],
    ],
    [
      ["-i", "ls", "{}"],
      [
        ["ls", "a"],
        ["ls", "b c"],
      ],
    ],
    [
      ["-i%", "ls", "{}", "%"],
      [
        ["ls", "{}", "a"],
        ["ls", "{}", "b c"],
      ],
    ],
    [
      ["--replace", "ls", "{}"],
      [
        ["ls", "a"],
        ["ls", "b c"],
      ],
    ],
    [
      ["--repl=%", "ls", "%%"],
      [
        ["ls", "aa"],
        ["ls", "b cb c"],
      ],
    ],
    [
      ["-n2", "ls"],
      [
        ["ls", "a", "b"],
        ["ls", "c"],
        ["ls", "a", "b", "c"],
      ],
    ],
    [["-n9", "ls"], [["ls", "a", "b", "c"]]],
    [["--delimiter=b", "-L", "9", "ls"], [["ls", "a\n ", " c \n\n"]]],
    [
      ["-I{}", "-ti%", "ls", "%"],
      [
        ["ls", "a"],
        ["ls", "b c"],
      ],
    ],
    [
      ["-db", "-I{}", "ls", "{}"],
      [
        ["ls", "a"],
        ["ls", "c"],
      ],
    ],
    [["-0rI", "{}", "ls", "{}"], [["ls", "a\n b c"]]],
    [["-0", "ls"], [["ls", "a\n b c \n\n"]]],
    [["-I{}"], []],
  ])("%j runs %j", (words, commands) => {
    expect(commandsOf(words, "a\n b c \n\n")).toEqual(commands);
  });

  test("puts what is not known in the place of a name only", () => {
    expect(commandsOf(["-I{}", "{}", "{}"], null)).toEqual([["\uE000", "{}"]]);
    expect(commandsOf(["-I{}", "ls", "{}"], null)).toEqual([["ls", "{}"]]);
    expect(commandsOf(["-I{}", "ls", "{}"], "\n")).toEqual([["ls", "{}"]]);
  });

  test("puts all lines beyond the thirty-second in one place, and cannot be read where that is too much", () => {
    const found = commandsOf(["-I{}", "ls", "{}"], Array.from({ length: 35 }, (_, line) => `l${line}`).join("\n"));
    expect(found).toHaveLength(33);
    expect(found.at(-1)).toEqual(["ls", "l32 l33 l34"]);
    expect(() => commandsOf(["-I{}", "ls", "{}{}"], "x".repeat(32_001))).toThrow("too much");
  });
});

test("xargs takes quotes away, unless it is told what stands between its items", () => {
  const commandsOf = (...words: string[]) => innerCommandsOf("xargs", ["xargs", ...words], `"a" 'b'\\c`).commands;
  expect(commandsOf("ls")).toEqual([["ls", "a", "bc"]]);
  expect(commandsOf("-I{}", "{}")).toEqual([["a bc"]]);
  expect(commandsOf("-0", "ls")).toEqual([["ls", `"a" 'b'\\c`]]);
});

test.each<[line: string, scripts: string[]]>([
  ["parallel ::: ls id", ["ls", "id"]],
  ["parallel {} ::: ls", ["ls"]],
  ["parallel ls ::: a b", ["ls a", "ls b"]],
  ["parallel ls {} :::+ a", ["ls a"]],
  ["parallel {2} {1}x ::: a b :::+ ls", ["ls ax", "ls bx"]],
  ["parallel ls {3}x ::: a", ["ls x"]],
  ["parallel -I% ls -% {} ::: a", ["ls -a a"]],
  ["parallel ls", ["ls"]],
  ["parallel", []],
  ["sh -c $1 _ ls", ["set -- 'ls'\n$1"]],
  ["sh -c ls _ a", ["ls"]],
  ["sh -c $@ _ it's", ["set -- 'it'\\''s'\n$@"]],
  ["sh -c $0 ls", ["printf -v 0 %s 'ls'\n$0"]],
  ["sh -c $0$1 l s", ["printf -v 0 %s 'l'\nset -- 's'\n$0$1"]],
])("%s hands %j to a shell", (line, scripts) => {
  expect(innerOf(line).scripts).toEqual(scripts);
});

test.each<[line: string, scripts: string[]]>([
  ["parallel", ["$1", "b"]],
  ["parallel ls", ["ls $1", "ls b"]],
  ["sh", ["$1\nb"]],
  ["sh -s a", ["set -- 'a'\n$1\nb"]],
  ["bash -- /dev/stdin a", ["set -- 'a'\n$1\nb"]],
  ["sh ./x a", ["$1\nb"]],
  [". /dev/stdin a", ["/dev/stdin", "set -- 'a'\n$1\nb"]],
])("%s hands %j to a shell, of what it reads", (line, scripts) => {
  const words = line.split(" ");
  expect(innerCommandsOf(words[0] ?? "", words, "$1\nb").scripts).toEqual(scripts);
});
