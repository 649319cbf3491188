import path from "node:path";
import { describe, expect, test } from "vitest";
import { callOf, shellCall, shellTool } from "@/server/testing/guarded-calls";
import { onTrial } from "../call-on-trial";
import { isPathName, shellPaths, shown, soughtNames } from "./path-words";

const wordsOf = (command: string) => shellPaths(onTrial(shellCall(command)));
const pathsOf = (command: string) => wordsOf(command).map(({ path }) => path);
const placesOf = (command: string, cwd = ".") =>
  shellPaths(onTrial(callOf(shellTool, { command, cwd }))).map(({ path: word, folder }) =>
    word.startsWith("/") ? word : path.posix.join(folder, word),
  );

test.each(
  "path paths file files file_name filename file-names dir dirs directory directories folder folders cwd root source destination uri filePath file_path source-path srcDir destFolder target_file fromPath toFile old_path newPath inputFile outputFiles localPath workingDirectory workDir repo_path baseDir rootFolder directoryPath".split(
    " ",
  ),
)("an argument that is called %s holds a path", (name) => {
  expect(isPathName(name)).toBe(true);
});

test.each("text pathology my_path_name profile filed cwds url from to roots file__path paths2 xcwd".split(" "))(
  "one that is called %s does not",
  (name) => {
    expect(isPathName(name)).toBe(false);
  },
);

describe("the paths of a command line", () => {
  test.each<[string, string[]]>([
    ["cat a b/c", ["a", "b/c"]],
    ["cat < a > b 2>> c", ["a", "b", "c"]],
    ["cat a=b", ["a=b", "b"]],
    ["tar --file=x.tar", ["--file=x.tar", "x.tar"]],
    ["tool run -v /x:/y,ro@z a", ["run", "-v", "/x:/y,ro@z", "/y", "ro", "z", "a"]],
    ["docker run -v /x:/y,ro@z a", ["run", "-v", "/x", "a"]],
    ["gcc -I/opt/x -L~/lib -o.x -I2", ["-I/opt/x", "/opt/x", "-L~/lib", "~/lib", "-o.x", ".x", "-I2"]],
    ["cat x-a/b", ["x-a/b"]],
    ["cat ''", []],
    ["curl https://example.com/a", []],
    ["curl git+ssh://example.com/a", []],
    ["curl file:///x/y", ["/x/y"]],
    ["curl file:/x", ["/x"]],
    ["curl file://localhost/x", ["/x"]],
    ["curl file:// a", ["//", "a"]],
    ["cat profile:/x", ["profile:/x", "/x"]],
    ["echo a /b", []],
    ["printf '%s' /b", []],
    ["echo /b/* ? /c", ["/b/*", "?"]],
    ["grep x a", ["a"]],
    ["egrep -v x a", ["-v", "a"]],
    ["grep x x", ["x"]],
    ["grep -e x a", ["a"]],
    ["grep --regexp x a", ["a"]],
    ["grep --regexp=x a", ["a"]],
    ["grep -rf patterns a", ["-rf", "patterns", "a"]],
    ["grep --file=patterns a", ["--file=patterns", "patterns", "a"]],
    ["grep -v x a-e", ["-v", "a-e"]],
    ["grep -ex a", ["a"]],
    ["grep -rnex a", ["a"]],
    ["egrep -rnex a", ["a"]],
    ["sed -nes/x/y/ a", ["a"]],
    ["grep x-ey a", ["a"]],
    ["awk x-ey a", ["a"]],
    ["git log x-m /y", ["log", "x-m", "/y"]],
    ["sed -es/x/y/ a", ["a"]],
    ["awk -fx a", ["-fx", "x", "a"]],
    ["awk -vf=1 x a", ["-vf=1", "1", "a"]],
    ["grep -Ax y a", ["-Ax", "a"]],
    ["gawk '{print}' a", ["a"]],
    ["grep --reg=. /y", ["/y"]],
    ["grep --regex . /y", ["/y"]],
    ["grep --fil=x /y", ["--fil=x", "x", "/y"]],
    ["grep -rf/x y", ["-rf/x", "/x", "y"]],
    ["grep -- -x /y", ["--", "/y"]],
    ["grep -m 1 -A 3 /x y", ["-m", "1", "-A", "3", "y"]],
    ["grep -A x /y", ["-A", "/y"]],
    ["grep /x -e /y", ["/x", "-e", "/y"]],
    ["grep -", []],
    ["rg --files /y", ["--files", "/y"]],
    ["rg -g '*.ts' /y /z", ["-g", "/y", "/z"]],
    ["ack --match=x /y", ["/y"]],
    ["sed --expr=p /y", ["/y"]],
    ["sed -n -e p -e /x/d /y", ["-n", "/y"]],
    ["sed -ne /x/p y", ["y"]],
    ["sed y -e 'r /x'", ["y", "-e", "r /x", "/x"]],
    ["sed -nf/x y", ["-nf/x", "/x", "y"]],
    ["sed 'r /x' y", ["y", "/x"]],
    ["sed -e p -e 's/a/w/w ../x' y", ["y", "../x"]],
    ["sed '1R /x\n$!W ../z' y", ["y", "/x", "../z"]],
    ["sed ':a r /x' y", ["y", "/x"]],
    ["awk --source=1 /y", ["/y"]],
    ["awk '{ print }' -e /y", ["-e", "/y"]],
    ["awk -v x=1 /x/ y", ["-v", "x=1", "1", "y"]],
    ["awk -F/ /x/ y", ["y"]],
    ["awk -F / /x/ y", ["y"]],
    ["gawk -l /x 1 y", ["-l", "/x", "y"]],
    ['awk \'{ getline < "/x"; ARGV[1] = "../z" } $1 == "/w"\' y', ["y", "/x", "../z"]],
    ["jq -f /x y", ["-f", "/x", "y"]],
    ["jq --from-file /x y", ["--from-file", "/x", "y"]],
    ["jq -L /x . y", ["-L", "/x", ".", "y"]],
    ["yq /y", ["/y"]],
    ["perl /x y", ["/x", "y"]],
    ["perl -lne /x/ y", ["y"]],
    ["perl -Mbase /x y", ["-Mbase", "/x", "y"]],
    ["tr / x", []],
    ["cut -d/ -f1 x", ["-f1", "x"]],
    ["cut -d / -f1 x", ["-f1", "x"]],
    ["find . -perm /222 -printf '/%f' -newer /x", [".", "-perm", "-printf", "-newer", "/x"]],
    ["cut --delim=/ -f1 x", ["-f1", "x"]],
    ["sort -nt/ -k2 -o /x y", ["-k2", "-o", "/x", "y"]],
    ["sort -ot/x y", ["-ot/x", "y"]],
    ["cut -- -d /x", ["--", "-d", "/x"]],
    ["psql -AtF/ -o /x", ["-o", "/x"]],
    ["[ $a = / ]", ["=", "", "]"]],
    ["test / != x -a -f /y", ["!=", "", "-a", "-f", "/y"]],
    ["sqlite3 x.db '.open ../y' '.read \"/z\"' 'select \"/w\"'", ["x.db", ".open ../y", '.read "/z"', 'select "/w"', "../y", "/z"]],
    ["echo '.read ../y' | sqlite3 x.db", ["x.db", "../y"]],
    ["find -D -name /x", ["-D", "-name", "/x"]],
    ["git log -S/x -G /y --grep=/z a", ["log", "-G", "a"]],
    ["git diff -m /x /y", ["diff", "-m", "/x", "/y"]],
    ["git log -m /x", ["log", "-m", "/x"]],
    ["git commit -am /x y", ["commit", "-am", "y"]],
    ["git grep -e /x y", ["grep", "-e", "y"]],
    ["sed s/x/y/ a", ["a"]],
    ["jq .x a", ["a"]],
    ["grep -x", ["-x"]],
    ["mygrep x a", ["x", "a"]],
    ["sedx x a", ["x", "a"]],
    ["cat -e a", ["-e", "a"]],
    ["git commit -m '/x' --author /y b", ["commit", "-m", "--author", "b"]],
    ["git log --format /x --grep /y c", ["log", "--format", "--grep", "c"]],
    ["find . -name /x -ipath '/y' -regex /z -newer /w", [".", "-name", "-ipath", "-regex", "-newer", "/w"]],
    ["find . -x-name a -namex b", [".", "-x-name", "a", "-namex", "b"]],
  ])("of %s are %j", (command, paths) => {
    expect(pathsOf(command)).toEqual(paths);
  });

  test.each<[string, string[]]>([
    ["cat a; cd b; cat c; cd ../..; cat d", ["a", "b", "b/c", "..", "../d"]],
    ["cd /etc; cat passwd", ["/etc", "/etc/passwd"]],
    ["cat < x; cd ../..; cat y", ["../..", "../../y", "x"]],
    ["cat < x; cd a; cat y", ["a", "a/y", "a/x"]],
    ["cd a/b; cd ..; ls > x", ["a/b", "a", "a/b/x"]],
    ["cd a; cd b/c; cd ../..; cat < x", ["a", "a/b/c", "a", "a/b/c/x"]],
  ])("of %s lie at %j", (command, places) => {
    expect(placesOf(command)).toEqual(places);
  });

  test("lie in the folder that the call begins in, unless that is none of the workspace's", () => {
    expect(placesOf("cat a > b", "docs")).toEqual(["docs/a", "docs/b"]);
    expect(placesOf("cat a", "docs/")).toEqual(["docs/a"]);
    expect(placesOf("cat a", "/x")).toEqual(["a"]);
    expect(placesOf("cd /y; cat a", "docs")).toEqual(["/y", "/y/a"]);
  });

  test("are shown with a sign for what is not known, and belong to their command", () => {
    expect(wordsOf("cat $X/a > $X/b")).toMatchObject([
      { text: "$?/a", command: { name: "cat" } },
      { text: "$?/b", command: null },
    ]);
    expect(shown("a b")).toBe("a b");
  });

  test.each<[string, string[]]>([
    ["while read x; do cat $x; done <<< /a", ["/a"]],
    ["while read x; do cat $x; done <<</a", ["/a"]],
    ["while read x; do cat $x; done <<<   /a", ["/a"]],
    ['while read x; do cat $x; done <<< "/a b /c"', ["/a", "/c"]],
    ["while read x; do cat $x; done <<< '~/a ../b cc/../d e..f g.. x~.. a/b ..'", ["~/a", "../b", "cc/../d", "..", "e..f", "g..", "x~.."]],
    ["while read x; do cat $x; done <<< /a|cat", ["/a"]],
    ["while mapfile x; do cat $x; done <<< /a", ["/a"]],
    ["while readarray x; do cat $x; done <<< /a", ["/a"]],
    ["while read x; do cat $x; done <<EOF\n/a\nEOF", ["/a"]],
    ["while read x; do cat $x; done <<-'EOF'\n/a b/c\nEOF", ["/a"]],
    ["while read x; do cat $x; done <<'EOF' </b\n/a\nEOF", ["/a", "/b"]],
    ["while read x; do cat $x; done <<@\n/a\n@", ["/a"]],
    ["Y=/a; read x <<< $Y; cat $x", ["/a"]],
    ["echo '/a  /b' | tr x y | while read x; do cat $x; done", ["/a", "/b"]],
    ["printf '/a\\n/b' | tr x y | while read x; do cat $x; done", ["/a", "/b"]],
    ["cat /a | while read x; do cat $x; done", ["/a"]],
    ["/bin/echo /a /b > f; read x < f; cat $x", ["/a", "/b"]],
    ["grep /a f; read x < f; cat $x", []],
    ["read x <<< /a; echo $x", []],
    ["read x <<< /a; cat y", []],
    ["cat <<< /a; cat $x", []],
    ["ls 'read' <<< /a; cat $x", []],
  ])("that a script reads into variables are looked at: %j", (command, paths) => {
    expect([...new Set(pathsOf(command).filter((found) => /^[/~]|\.\./.test(found)))]).toEqual(paths);
  });

  test("that are longer than any system takes are none", () => {
    const longest = `/${"a".repeat(4_095)}`;
    expect(pathsOf(`while read x; do cat $x; done <<< ${longest}`)).toContain(longest);
    expect(pathsOf(`while read x; do cat $x; done <<< ${longest}a`)).not.toContain(`${longest}a`);
    expect(pathsOf(`cat ${longest}`)).toEqual([longest]);
    expect(pathsOf(`cat ${longest}a`)).toEqual([]);
  });
});

test("the names that a search looks for count where what it finds is opened", () => {
  const sought = (command: string) =>
    onTrial(shellCall(command)).scripts.flatMap(({ running }) => running.flatMap(({ commands }) => commands.flatMap(soughtNames)));
  expect(sought("find . -name .env -exec cat {} +")).toEqual([".env"]);
  expect(sought("find .env -iname a -wholename b -lname c -exec cat {} +")).toEqual(["a", "b", "c"]);
  expect(sought("find . -name .env")).toEqual([]);
  expect(sought("fd -name .env -exec cat {} +")).toEqual([]);
});
