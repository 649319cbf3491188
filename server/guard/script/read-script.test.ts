import { describe, expect, test } from "vitest";
import { readScript } from "./read-script";
import { ReadingBudget } from "./reading-budget";
import type { ShellScript } from "./shell-script";

const read = (text: string): ShellScript => readScript(text, new ReadingBudget());
const namesAndFolders = (text: string) => read(text).commands.map(({ words, folder }) => `${words[0]?.value ?? ""} in ${folder}`);

describe("where a command runs", () => {
  test.each([
    ["ls", ["ls in ."]],
    ["cd a && ls", ["cd in .", "ls in a"]],
    ["cd a && cd ../b && ls", ["cd in .", "cd in a", "ls in b"]],
    ["cd .. && ls", ["cd in .", "ls in .."]],
    ["cd /etc && ls", ["cd in .", "ls in /etc"]],
    ["cd && ls", ["cd in .", "ls in ."]],
    ["cd ~/a/ && ls", ["cd in .", "ls in a"]],
    ["cd -P -- a && ls", ["cd in .", "ls in a"]],
    ["cd a || exit 1\nls", ["cd in .", "exit in a", "ls in a"]],
    ["cd a || exit 1; ls", ["cd in .", "exit in a", "ls in a"]],
    // A `cd` may have failed.
    ["cd a; ls", ["cd in .", "ls in null"]],
    ["cd a\nls", ["cd in .", "ls in null"]],
    ["cd a || ls", ["cd in .", "ls in null"]],
    ["false && cd a; ls", ["false in .", "cd in .", "ls in null"]],
    ["! cd a || exit; ls", ["cd in .", "exit in null", "ls in null"]],
    ["if cd a; then ls; fi; pwd", ["cd in null", "ls in null", "pwd in null"]],
    ["for d in a b; do cd $d; ls; done", ["cd in null", "ls in null"]],
    ["while cd a; do ls; done", ["cd in null", "ls in null"]],
    // A subshell does not change the folder of its parent.
    ["(cd a && ls); pwd", ["cd in .", "ls in a", "pwd in ."]],
    ["cd a | ls; pwd", ["cd in .", "ls in .", "pwd in ."]],
    ["cd a & pwd", ["cd in .", "pwd in ."]],
    ["echo $(cd a && ls); pwd", ["echo in .", "cd in .", "ls in a", "pwd in ."]],
    // A value that is not written out is unknown.
    ["cd $x && ls", ["cd in .", "ls in null"]],
    ["cd a* && ls", ["cd in .", "ls in null"]],
    ["cd - && ls", ["cd in .", "ls in null"]],
    ["cd a b && ls", ["cd in .", "ls in null"]],
    ["pushd a && ls", ["pushd in .", "ls in null"]],
    ["eval x && ls", ["eval in .", "ls in null"]],
    ["$x && ls", [`\uE000 in .`, "ls in null"]],
    ["CDPATH=/ cd a && ls", ["cd in .", "ls in null"]],
    ["f() { cd a; }; f && ls", ["cd in null", "f in .", "ls in null"]],
    ["cd -P .. && ls", ["cd in .", "ls in null"]],
    ["f() { ls; }; f && ls", ["ls in null", "f in .", "ls in ."]],
  ])("%s", (text, expected) => expect(namesAndFolders(text)).toEqual(expected));

  test("begins where the caller says", () => {
    expect(readScript("cd b && ls", new ReadingBudget(), "a").commands.map(({ folder }) => folder)).toEqual(["a", "a/b"]);
    expect(readScript("cd b && ls", new ReadingBudget(), null).commands.map(({ folder }) => folder)).toEqual([null, null]);
  });
});

test("commands know the pipeline before them, the command around them and the functions that they stand in", () => {
  const { commands, functions } = read("a | b $(c | d) & f() { e; }");
  const [a, b, c, d, e] = commands;
  expect([a?.pipedFrom, b?.pipedFrom, c?.pipedFrom, d?.pipedFrom]).toEqual([null, { start: 0, end: 1 }, null, { start: 2, end: 3 }]);
  expect([a, b, c, d].map((command) => command?.inside)).toEqual([null, null, 1, 1]);
  expect([a, b, c, d, e].map((command) => command?.isSubstituted)).toEqual([false, false, true, true, false]);
  expect([a?.background, b?.background, e?.background]).toEqual([true, true, false]);
  expect(e?.functions).toEqual(["f"]);
  expect([...functions]).toEqual(["f"]);
});

test("assignments, redirections and the values of loops are told apart from words", () => {
  const script = read('X=1 Y[0]=2 ls > out 2>&1 < in; for f in a "$b"; do :; done 2> log; export PATH=x');
  expect(script.commands[0]?.assignments.map(({ name, value }) => [name, value?.value])).toEqual([
    ["X", "1"],
    ["Y", undefined],
  ]);
  expect(script.commands[0]?.redirections.map(({ operator, target }) => operator + target.value)).toEqual([">out", "<in"]);
  expect(script.redirections.map(({ target }) => target.value)).toEqual(["log"]);
  expect(script.loopVariables.map(({ name, value }) => `${name} ${value?.certainty}`)).toEqual(["f literal", "f unknown"]);
  expect(script.commands[2]?.words.map(({ value }) => value)).toEqual(["export", "PATH=x"]);
});

test("positions are those of the script, and of the command around where a substitution is a decoded copy", () => {
  const text = "ls a; echo `echo \\`pwd\\` b`";
  const at = read(text).commands.map(({ start, end }) => text.slice(start, end));
  expect(at).toEqual(["ls a", "echo `echo \\`pwd\\` b`", "echo `echo \\`pwd\\` b`", "echo `echo \\`pwd\\` b`"]);
});

test.each(["ls 'x", "ls (", "ls 1>(rm x)", "if ls", "ls \uE000", "ls \uE001", "ls $\\\n(rm x)"])(
  "%j cannot be read with certainty, and says why",
  (text) => {
    expect(read(text).unreadable).not.toBeNull();
  },
);

test.each(["ls \\\n -la", "cat <<EOF\nhi\nEOF", "a=$(b)", "ls # it's", "[[ -f x ]] && y", "case x in a) b;; esac"])(
  "%j can be read",
  (text) => {
    expect(read(text).unreadable).toBeNull();
  },
);

test.each([
  ["$((1 + 2))", 0],
  ["$((x + 1))", 1],
  ["$((a[$(id)]))", 1],
  ["((i++))", 1],
  ["[[ 1 -eq 2 ]]", 0],
  ["[[ $# -eq 2 ]]", 0],
  ["[[ $x -eq 2 ]]", 1],
  ["[[ $x == 2 ]]", 0],
])("arithmetic in %s is an evaluation %i times", (text, times) => {
  expect(read(`echo ${text.startsWith("$") ? text : `a; ${text}`}`).evaluations).toHaveLength(times);
});

test("a long here-document is read as text, and a quote that looks like one is not", () => {
  const body = "rm -rf /; $(reboot)\n".repeat(20);
  const names = (text: string) => read(text).commands.map(({ words }) => words[0]?.value);
  expect(names(`cat > a <<'EOF'\n${body}EOF\nls`)).toEqual(["cat", "ls"]);
  expect(names(`echo "<<'EOF'\n${body}EOF\n"; ls`)).toContain("reboot");
});
