import { describe, expect, test } from "vitest";
import { unknownValue } from "./resolve-word";
import { readShell } from "./running-commands";

const commandsIn = (script: string) => readShell(script).running.flatMap(({ commands }) => commands);
/** Each command as it would run, with a `?` for what is not known. */
const runIn = (script: string) => commandsIn(script).map(({ words }) => words.join(" ").replaceAll(unknownValue, "?"));

describe("what a script runs", () => {
  test.each<[script: string, runs: string[]]>([
    ["'l's \"a b\" c\\ d", ["ls a b c d"]],
    ["ls $'a\\x62' $\"c\"", ["ls ab c"]],
    ["ls '' \"\" $''", ["ls   "]],
    ['ls $X "$X" a$X', ["ls ? ? a?"]],
    ["X=a; ls $X ${X}b", ["ls a ab"]],
    ["X=a; X+=b; ls $X", ["ls ab"]],
    ["Y+=b; ls $Y", ["ls b"]],
    ["export X=a; ls $X", ["export X=a", "ls a"]],
    ["X='a b'; ls $X \"$X\"", ["ls a b a b"]],
    ["X='a  b'; ls $X", ["ls a b"]],
    ["X='-a'; ls$X", ["ls-a"]],
    ['X=(a b); ls $X ${X[1]} ${X[@]} "${X[*]}"', ["ls a b a b a b"]],
    ["X=(a); X+=(b c); ls ${X[2]} ${X[@]}", ["ls c a b c"]],
    ["X=(); ls $X b", ["ls b"]],
    ["ls ~ ~/a ~me/b '~' a~ ~a.b", ["ls /~ /~/a /~/b ~ a~ ~a.b"]],
    ["X=~/a; ls $X", ["ls /~/a"]],
    ["ls $HOME $PWD $0 $SHELL $BASH $1 $@ $* $9 x", ["ls /~ . sh sh bash x"]],
    ["ls {a,b}c {d,e{f,g}}", ["ls ac bc d ef eg"]],
    ["ls '{a,b}' {1..3}", ["ls {a,b} {1..3}"]],
    ["ls \"a\"{b,'c'}", ["ls ab ac"]],
    ["ls * a?b [c] @(d)", ["ls * a?b [c] ?"]],
    ["ls $((1+1)) $((x))", ["ls 2 ?"]],
    ["ls ${X:-a} ${X-b} ${X:+c} ${X:?d} ${X:=e}", ["ls a b c ? e"]],
    ["X=z; ls ${X:-a} ${X:+c} ${X:?d}", ["ls z c z"]],
    ["ls ${X:-${Y:-${Z:-a}}}", ["ls a"]],
    ["ls ${!X} ${#X}", ["ls ? ?"]],
    ["ls ${PWD%/*} ${PWD##*/} ${PWD/a/b} ${PWD:0:1} ${PWD^^}", ["ls .. . .. .. ."]],
    ['ls $(echo a b) "$(echo c)" `echo d`', ["ls a b c d", "echo a b", "echo c", "echo d"]],
    ["ls $(echo a | rev | cat)", ["ls a", "echo a", "rev", "cat"]],
    ["ls $(cat x) $(echo a; echo b) $(echo a && echo b)", ["ls ? ? ?", "cat x", "echo a", "echo b", "echo a", "echo b"]],
    ["ls $(echo $(echo $(echo a)))", ["ls a", "echo a", "echo a", "echo a"]],
    ["ls <(echo a)", ["ls a", "echo a"]],
  ])("%s is %j", (script, runs) => {
    expect(runIn(script)).toEqual(runs);
  });

  test.each<[script: string, runs: string[]]>([
    ["sudo env X=1 ls a", ["sudo env X=1 ls a", "env X=1 ls a", "ls a"]],
    ["sh -c 'ls; id'", ["sh -c ls; id", "ls", "id"]],
    ["sh -c \"sh -c 'ls'\"", ["sh -c sh -c 'ls'", "sh -c ls", "ls"]],
    ["sh -c ls; bash -c ls", ["sh -c ls", "bash -c ls", "ls"]],
    ["sh -c ''; sh -c ' '", ["sh -c ", "sh -c  "]],
    ["echo 'ls a' | sh", ["echo ls a", "sh", "ls a"]],
    ["echo ls | cat | sh", ["echo ls", "cat", "sh", "ls"]],
    ["(echo ls; echo id) | sh", ["echo ls", "echo id", "sh", "ls", "id"]],
    ["sh <<< 'ls a'", ["sh", "ls a"]],
    ["sh <<E\nls\nE", ["sh", "ls"]],
    ["sh <<'E'\nls\nE", ["sh", "ls"]],
    [`sh <<'E'\n${"ls\n".repeat(80)}E`, ["sh", ...Array.from({ length: 80 }, () => "ls")]],
    ["sh < a", ["sh"]],
    ["echo a b | xargs ls", ["echo a b", "xargs ls", "ls a b"]],
    ["find . -exec ls {} +", ["find . -exec ls {} +", "ls {}"]],
    ["((ls))", ["ls"]],
    ['f() { ls "$1" ${2}; }; f a b', ["ls ", "f a b", "ls a b"]],
    ["f() { ls $@; id; }; f a b; f c", ["ls", "id", "f a b", "f c", "ls a b", "ls c"]],
    ["f() { ls $*; }; f", ["ls", "f"]],
    ["f() { ls $9; }; f 1 2 3 4 5 6 7 8 9", ["ls", "f 1 2 3 4 5 6 7 8 9", "ls 9"]],
    ["ls 'a", ["ls a"]],
    ["ls a; (id 'b", ["ls a", "id b", "ls a", "id b"]],
    ["l\\\ns a", ["ls a"]],
  ])("%j runs %j", (script, runs) => {
    expect(runIn(script)).toEqual(runs);
  });

  test.each<[script: string, runs: string[]]>([
    ["printf -v X a; ls $X", ["printf -v X a", "ls a"]],
    ["printf -x b a; ls $b", ["printf -x b a", "ls ?"]],
    ["printf -v; ls $X", ["printf -v", "ls ?"]],
    ["ls -v b a; ls $b", ["ls -v b a", "ls ?"]],
    ["read X <<< 'a b'; ls $X", ["read X", "ls a b"]],
    ["read X <<< ' a '; ls \"$X\"", ["read X", "ls a"]],
    ["read -r X Y-z <<< a; ls $X $Y", ["read -r X Y-z", "ls a ?"]],
    ["ls X <<< a; ls $X", ["ls X", "ls ?"]],
    ["read 1X <<< a; ls $X", ["read 1X", "ls ?"]],
    ["for x in a b; do ls $x; done", ["ls a b"]],
    ["for x in $Y; do ls $x; done", ["ls ?", "ls ?"]],
    ["Y='a b'; for x in $Y; do ls $x; done", ["ls ?", "ls ?", "ls a", "ls b"]],
    ["for x in a b; do cd $x; ls; done; id", ["cd a b", "ls", "id"]],
    ["for x; do ls $x; done", ["ls"]],
    ["while ls $X; do X=a; done", ["ls ?", "ls a"]],
    ["while ls $X; do id; done", ["ls ?", "id"]],
    ["ls $\\\n(id)", ["ls ?", "id"]],
    ["f() { ls $1 $2 $3 $4 $5 $6 $7 $8; }; f a b c d e f g h", ["ls", "f a b c d e f g h", "ls a b c d e f g h"]],
    ["ls $3 $4 $5 $6 $7 $8 x", ["ls x"]],
    ["f() { ls $2; }; f a", ["ls", "f a"]],
    ['f() { ls "$*"; }; f a b', ["ls ", "f a b", "ls a b"]],
    ["f() { ls; }; f a", ["ls", "f a"]],
    ["g() { ls $1; }; f a", ["ls", "f a"]],
    ["ls a; f() { id $1; }; ls $1", ["ls a", "id", "ls"]],
    ["X=(a); X=(b); ls ${X[@]}", ["ls b"]],
    ["Y=(a b); X=${Y[@]}; ls $X", ["ls a b"]],
    ["X='a  b'; Y=$X; ls \"$Y\"", ["ls a  b"]],
    ["X='a  b'; ls $\"$X\"", ["ls a  b"]],
    ['ls $"" x', ["ls  x"]],
    ["X=; ls ''$X b", ["ls  b"]],
    ["ls $(echo $(echo $(echo $(echo a))))", ["ls ?", "echo a", "echo a", "echo a", "echo a"]],
    ["ls ${X:-${Y:-${Z:-${W:-a}}}}", ["ls ?"]],
    ["ls ${PWD} ${PWD:-x} ${PWD%%/*} ${PWD#%}", ["ls . . .. ."]],
    ["X=abc; ls ${X%c}", ["ls abc"]],
    [
      "ls $(echo a | cat | cat | cat | cat | cat | cat | cat | cat)",
      ["ls a", "echo a", "cat", "cat", "cat", "cat", "cat", "cat", "cat", "cat"],
    ],
    [
      "ls $(echo a | cat | cat | cat | cat | cat | cat | cat | cat | cat)",
      ["ls ?", "echo a", "cat", "cat", "cat", "cat", "cat", "cat", "cat", "cat", "cat"],
    ],
    ["ls $(ls | echo a)", ["ls ?", "ls", "echo a"]],
    ["ls $( (echo a) )", ["ls ?", "echo a"]],
    ["ls $(echo X=a)", ["ls X=a", "echo X=a"]],
    ["ls $(X=a)", ["ls ?"]],
    ["export X=(a b); ls $X", ["export X=(a b)", "ls a"]],
    ["X=a; X=b; ls $X", ["ls b"]],
    ["X=a; f() { X=b; }; ls $X", ["ls b"]],
    ["local X=a Y; ls $X", ["local X=a Y", "ls a"]],
    ["printf a b; ls $a $b", ["printf a b", "ls ? ?"]],
    ["X=a; for X in b c; do ls $X; done", ["ls a", "ls b", "ls c", "ls a"]],
    ["X=a; for X in b; do X=c; ls $X; done", ["ls c", "ls b", "ls a", "ls c"]],
    ["read X <<< a; for X in b; do ls $X; done", ["read X", "ls a", "ls b", "ls a"]],
    ["cd a-P; ls", ["cd a-P", "ls"]],
    ["read X Y <<< ' a  b '; ls -$Y", ["read X Y", "ls -a b", "ls -a", "ls -b"]],
    ["read XY <<< a; ls $XY", ["read XY", "ls a"]],
    ["read X; ls $X", ["read X", "ls ?"]],
    ["X=a; X=b; Y=$X; ls -$Y", ["ls -b"]],
    ["Y=a; export X=$Y", ["export X=a"]],
    ["while ls $X; do printf -v X a; done", ["ls ?", "printf -v X a", "ls a"]],
    ["for x in a b; do x=c; ls -$x; done", ["ls -c", "ls -a", "ls -b", "ls -c"]],
    ["for x in l p; do ${x}s; done", ["ls", "ps"]],
    ["X=a; ls x$\\\n{X}", ["ls x${X}", "ls xa", "ls x$\\", "X"]],
    // Braces are spelled out before what they hold.
    ['X=a; ls {$X,b} x{"$X",${X}c,$(echo d)}', ["ls a b xa xac xd", "echo d"]],
    ["X='a b'; ls {$X,c}", ["ls a b c"]],
    ["X='a b'; ls {a,{$X,c}}", ["ls a a b c"]],
    ["ls {~,~/a,~me/b,a~}", ["ls /~ /~/a /~/b a~"]],
    ["ls {a,} x{,y} {,} ''{,}", ["ls a x xy "]],
    // Elements of lists, one by one.
    ["X=(a b); X[0]=c; ls $X ${X[@]}", ["ls c c b"]],
    ["X=(a b); X=c; ls ${X[0]} ${X[*]}", ["ls c c b"]],
    ["X=a; X[1]=b; ls ${X[0]} ${X[@]}", ["ls a a b"]],
    ["X[12]=a; X[1]+=b; X[1]+=c; ls $X x ${X[@]} ${X[12]}", ["ls x bc a a"]],
    ["X=a; ls ${X[0]} ${X[@]} ${X[*]} ${X[1]} ${X[10]} ${X[-0]}", ["ls a a a ? ? ?"]],
    ["X[$i]=a; X[b]=c; ls $X ${X[$i]} ${X[b]} ${X[1b]}", ["ls c a c ?"]],
    ["X=(a); X[100]=b; ls ${X[@]} ${X[100]}", ["ls a b"]],
    ["X=(a b); ls ${X[-1]} ${X[$i]}", ["ls a b a b"]],
    ["X=([3]=a [k]=b); ls ${X[@]}", ["ls a b"]],
    [": ${X:=a}; ls $X", [": a", "ls a"]],
    ["X=b; : ${X:=a}; ls $X", [": b", "ls b"]],
    ["X=; ls ${X:-a} ${X-b} ${X:+c}", ["ls a c"]],
    ["f() { ls ${1:-/tmp}; }; f src", ["ls", "f src", "ls src"]],
    ["cat < <(id)", ["cat", "id"]],
    ['for x in \'a b\' c; do y="$x"; ls "$x" "$y"; done', ["ls a b c a b c"]],
    // What a script is called with.
    ["set -- a b; ls $2 $1 $3x", ["set -- a b", "ls b a x"]],
    ["set a b; ls $@", ["set a b", "ls a b"]],
    ["set -eo pipefail +x -- a; ls $1", ["set -eo pipefail +x -- a", "ls a"]],
    ["set -x a; ls $1", ["set -x a", "ls a"]],
    ["set - a; ls $1", ["set - a", "ls a"]],
    ["set -e; ls $1", ["set -e", "ls"]],
    ["set -- a b c; shift 2; ls $1 $2", ["set -- a b c", "shift 2", "ls c"]],
    ["set -- a b; shift; ls $@", ["set -- a b", "shift", "ls b"]],
    ["set -- a b; for x; do ls -$x; done", ["set -- a b", "ls -", "ls -", "ls -a", "ls -b"]],
    ["mapfile -t X <<< a; ls ${X[0]}", ["mapfile -t X", "ls a"]],
    ["readarray <<< a; ls $MAPFILE", ["readarray", "ls a"]],
  ])("%j, with what its variables hold, runs %j", (script, runs) => {
    expect(runIn(script)).toEqual(runs);
  });

  test.each<[script: string, runs: string[]]>([
    ['for x in a b; do ls -$x "$x"; done; ls $x', ["ls -a a", "ls -b b", "ls a b"]],
    ['for x in a b; do ls "-$x"; done', ["ls -a", "ls -b"]],
    ["for x in a b; do ls -${x}; done", ["ls -a", "ls -b"]],
    ["for x in a b; do ls {c,d}$x; done", ["ls ca da", "ls cb db"]],
    ['for x in a b; do ls $"-$x"; done', ["ls -a", "ls -b"]],
    ["for x in a b; do for y in c d; do ls $x$y $y; done; done", ["ls ac c", "ls ad d", "ls bc c", "ls bd d"]],
    ["for x in a b; do ls a$z-$x; done", ["ls a?-a", "ls a?-b"]],
    ["for x in a b; do ls -{$x,c}; done", ["ls -a -c", "ls -b -c"]],
    ["for x in a b; do ls {$x,c}; done", ["ls a c", "ls b c"]],
    ["for x in a b; do Y=-$x; ls z$Y; done", ["ls z-a", "ls z-b"]],
    ["for x in a b; do Y=$x; ls z$Y; Y=c; ls z$Y; done", ["ls za", "ls zb", "ls zc", "ls za", "ls zb", "ls zc"]],
    ["for x in a b; do ls -$x; done; x=c; ls -$x", ["ls -a", "ls -b", "ls -a", "ls -b", "ls -c", "ls -c"]],
    ["for x in a; do ls -$x; done", ["ls -a"]],
    ["for x in a b; do X[1]=$x; ls z${X[1]}; done", ["ls za", "ls zb"]],
    ["while ls $X$Z; do X=a; Z=b; done", ["ls ??", "ls ab"]],
    ["while ls $X $Z; do Z=b; done", ["ls ? ?", "ls ? b"]],
    ["X=a; while ls $X; do X=b; done", ["ls a", "ls a", "ls b"]],
    ["while ls z; do Z=b; done", ["ls z"]],
    ["while ls $X; do X=a; done; ls $Y", ["ls ?", "ls ?", "ls a"]],
  ])("%j, in each round of its loops, runs %j", (script, runs) => {
    expect([...runIn(script)].sort()).toEqual([...runs].sort());
  });

  test("is said for each round of a loop, and too much to read where there are very many", () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`);
    const loop = (count: number) => runIn(`for x in ${words(count).join(" ")}; do ls -$x; done`);
    expect(loop(100)).toEqual(words(100).map((word) => `ls -${word}`));
    expect(() => loop(201)).toThrow("too much");
  });

  test("opens all files that variables name, unless they are too many", () => {
    const opens = (script: string) => readShell(script).running.map((running) => running.opens)[0];
    expect(opens("for x in a b; do cat < $x > y$x; done")).toEqual(["a", "b", "ya", "yb"]);
    expect(opens("while cat < $X; do X=a; X=b; done")).toEqual(["a", "b"]);
    expect(opens("X=a; cat < $X; X=b")).toEqual(["a"]);
    expect(opens("X=a; X=b; cat < $X")).toEqual(["b"]);
    expect(opens("while cat < $X$Y; do X=a; done")).toEqual([`a${unknownValue}`]);
    const names = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`);
    expect(opens(`for x in ${names(200).join(" ")}; do ls > $x; done`)).toEqual(names(200));
    expect(() => opens(`for x in ${names(201).join(" ")}; do ls > $x; done`)).toThrow("too much");
    const often = (loops: number) => `for x in ${names(100).join(" ")}; do ${"ls > $x;".repeat(loops)} done`;
    expect(opens(often(5))).toHaveLength(500);
    expect(() => opens(often(14))).toThrow("too much");
  });

  test("is too much to read where its texts grow without an end", () => {
    const doubled = (times: number) => `X=${"a".repeat(10)}; ${"X=$X$X; ".repeat(times)}ls`;
    expect(runIn(doubled(5))).toEqual(["ls"]);
    expect(() => runIn(doubled(20))).toThrow("too much");
    expect(runIn(`ls {a,${"b".repeat(1_996)}}`)).toEqual([`ls a ${"b".repeat(1_996)}`]);
    expect(() => runIn(`ls {a,${"b".repeat(1_997)}}`)).toThrow("too much");
    expect(readShell("sh -c ' '").running).toHaveLength(1);
  });

  test("is said with where it runs, and under which name", () => {
    const placesIn = (script: string) => commandsIn(script).map(({ name, folder }) => `${folder} ${name}`);
    expect(placesIn("ls; cd a; /bin/ls; cd ../b; ./x; cd /y/z; ../w; x")).toEqual([
      ". ls",
      ". cd",
      "a ls",
      "a cd",
      "b ./b/x",
      "b cd",
      "/y/z w",
      "/y/z x",
    ]);
    expect(placesIn("pushd a; ls; cd -; ls; cd $X; ls; cd -P -L -- c; ls; cd; ls")).toEqual([
      ". pushd",
      "a ls",
      "a cd",
      ". ls",
      ". cd",
      ". ls",
      ". cd",
      "c ls",
      "c cd",
      "/~ ls",
    ]);
    expect(placesIn("env -C a ls; sudo -D /b ls; ls")).toEqual([". env", "a ls", ". sudo", "/b ls", ". ls"]);
    expect(placesIn("cd -LP a; ls; cd -- x--; ls; cd y-L; ls; cd -Lx; ls; cd --y; ls").filter((place) => place.endsWith(" ls"))).toEqual([
      "a ls",
      "a/x-- ls",
      "a/x--/y-L ls",
      "a/x--/y-L/-Lx ls",
      "a/x--/y-L/-Lx/--y ls",
    ]);
    expect(placesIn("for d in a b; do cd x$d; ls; done; id")).toEqual([". cd", ". cd", ". cd", "xa ls", "xa id"]);
    expect(readShell("cd x; ls").running[0]?.folders).toEqual([".", "x"]);
    expect(placesIn(`cd ${"a".repeat(4_095)}; ls`)[1]).toBe(`${"a".repeat(4_095)} ls`);
    expect(placesIn(`cd ${"a".repeat(4_096)}; ls`)[1]).toBe(". ls");
    expect(placesIn("cd -x; ls; cd a -P; ls")).toEqual([". cd", "-x ls", "-x cd", "-x/a ls"]);
    expect(placesIn("../ls; a/../../ls; a/../b; $X/ls; ${X}ls; x$Y")).toEqual([". ls", ". ls", ". ./b", ". ls", ". ls", ". x"]);
    expect(placesIn(`cd ${"a".repeat(5_000)}; ls; /${"b/".repeat(2_100)}ls`)).toEqual([". cd", ". ls", ". ls"]);
  });

  test("is said with what stands on its input, and what runs it", () => {
    expect(commandsIn("echo a | sudo cat").map(({ name, input, runBy }) => [name, input, runBy])).toEqual([
      ["echo", null, null],
      ["sudo", "a", null],
      ["cat", "a", "sudo"],
    ]);
    expect(commandsIn("cat <<< a <<< b; cat < x; ls | cat; echo a; cat").map(({ input }) => input)).toEqual([
      "a\nb",
      null,
      null,
      null,
      null,
      null,
    ]);
    expect(commandsIn("(echo a; ls; echo b) | cat").at(-1)?.input).toBe("a\nb");
    expect(commandsIn(`(echo a; ${"ls; ".repeat(20)} echo a) | cat`).at(-1)?.input).toBe("a");
    const lines = Array.from({ length: 20 }, (_, at) => `${at}`);
    expect(commandsIn(`(${lines.map((line) => `echo ${line}; `).join("")}) | cat`).at(-1)?.input).toBe(lines.join("\n"));
    expect(commandsIn(`echo ab${" | cat".repeat(100)}`).at(-1)?.input).toBe("ab");
    expect(() => commandsIn(`echo ab${" | rev | cat".repeat(20)}`)).toThrow("too much");
    expect(commandsIn(`(echo a; echo ${"x".repeat(25_000)}) | tee b | cat`).at(-1)?.input).toHaveLength(2 * 25_002 + 1);
  });

  test("opens files to read and to write, and stands in folders", () => {
    const [first] = readShell("cat < a > b 2>> c 3<> d; cd x; ls >& e; cat <&3").running;
    expect(first?.opens).toEqual(["a", "b", "c", "d", "e", "3"]);
    expect(first?.writesTo).toEqual(["b", "c", "d", "e"]);
    expect(first?.folders).toEqual([".", "x"]);
    const folders = readShell(Array.from({ length: 20 }, (_, at) => `cd /${at}`).join("; ")).running[0]?.folders;
    expect(folders).toHaveLength(16);
  });

  test("is what functions do with all that they are called with", () => {
    expect(runIn(`f() { rm $1; }; ${"f a; ".repeat(60)} f b`).at(-1)).toBe("rm b");
    expect(runIn(`f() { ${"ls $1; ".repeat(60)} rm $1; }; f b`).at(-1)).toBe("rm b");
    expect(runIn("g() { rm $1; }; f() { g $1; }; f a")).toEqual(["rm", "g", "f a", "g a", "rm a"]);
    expect(runIn("f() { g $1; }; g() { h $1; }; h() { rm $1; }; f a").at(-1)).toBe("rm a");
    expect(runIn("f() { local d=$1/b; rm $d; }; f a").slice(-2)).toEqual(["local d=a/b", "rm a/b"]);
    expect(runIn('f() { for d in "$@"; do rm -$d; done; }; f a').at(-1)).toBe("rm -a");
    expect(runIn('f() { for d in "$@"; do rm $d; done; }; f a b').at(-1)).toBe("rm a b");
    expect(runIn("f() { ls; f $1/a; }; f b")).toEqual(["ls", "f /a", "f b", "f /a/a", "f b/a", "f /a/a/a", "f b/a/a"]);
    expect(runIn("f() { id; }; f a; f b $1")).toEqual(["id", "f a", "f b"]);
  });

  test("is too much to read where it runs too many words", () => {
    const words = (count: number) => "a ".repeat(count);
    const times = (count: number) => `X='${words(1_000)}'; ls ${"$X ".repeat(count)}`;
    expect(runIn(times(4))).toHaveLength(1);
    expect(() => runIn(times(15))).toThrow("too much");
    const wrapped = (depth: number) => `${"sudo ".repeat(depth)}ls ${words(1_100)}`;
    expect(runIn(wrapped(3))).toHaveLength(4);
    expect(() => runIn(wrapped(12))).toThrow("too much");
    const loop = (count: number) => `for x in ${Array.from({ length: 32 }, (_, at) => at).join(" ")}; do ls -$x ${words(count)}; done`;
    expect(runIn(loop(100))).toHaveLength(32);
    expect(() => runIn(loop(300))).toThrow("too much");
    const calls = (count: number) => `f() { ls $1 ${words(200)}; }; ${"f a; ".repeat(count)}`;
    expect(runIn(calls(20))).toHaveLength(22);
    expect(() => runIn(calls(50))).toThrow("too much");
  });

  test("is too much to read where it is too deep", () => {
    const nested = (depth: number) => `${"sudo ".repeat(depth)}ls`;
    expect(runIn(nested(12))).toHaveLength(13);
    expect(() => runIn(nested(13))).toThrow("too much");
    const quoted = (depth: number): string => (depth === 0 ? "ls" : `eval ${JSON.stringify(quoted(depth - 1))}`);
    expect(runIn(quoted(5)).at(-1)).toBe("ls");
    const evals = (depth: number) => `${"eval ".repeat(depth)}ls`;
    expect(runIn(evals(12)).at(-1)).toBe("ls");
    expect(() => runIn(evals(13))).toThrow("too much");
  });
});

describe("is too much to be followed", () => {
  const lines = (count: number, line: (at: number) => string): string => Array.from({ length: count }, (_, at) => line(at)).join("");

  test.each<[what: string, script: (count: number) => string, count: number]>([
    ["a function that is called over and over", (count) => `f() { ${lines(20, () => "ls $1;")} }; ${lines(count, (at) => `f ${at};`)}`, 10],
    ["functions that call each other", (count) => `${lines(count, (at) => `f${at}() { f${at + 1} $1; f${at + 1} x$1; };`)} f0 a`, 5],
    ["a function with many arguments", (count) => `f() { ls ${"$1 ".repeat(40)}; }; ${lines(count, (at) => `f ${at};`)}`, 20],
    ["a folder far below", (count) => lines(count, (at) => `cd a${at}${"/b".repeat(100)};`), 20],
    ["letters behind one dash", (count) => `tar -${"a".repeat(count * 100)}`, 20],
  ])("%s", (_what, script, count) => {
    expect(() => readShell(script(count))).not.toThrow();
    expect(() => readShell(script(count * 16))).toThrow("too much");
  });

  test("but not a script of functions as people write them", () => {
    const steps = lines(5, (at) => `  log "step ${at} of $1"\n`);
    const script = `log() { echo "[$(date)] $*"; }\ncheck() {\n${steps}  [ -f "$1" ] || log no\n}\n${lines(20, (at) => `check f${at}\n`)}`;
    expect(() => readShell(script)).not.toThrow();
  });

  test("what does not depend on what a function is called with counts but once", () => {
    expect(() => readShell(`f() { ${lines(30, () => "ls a;")} }; ${lines(60, (at) => `f ${at};`)}`)).not.toThrow();
  });
});
