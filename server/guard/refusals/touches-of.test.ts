import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { callOf, mcpTool, readTool, shellTool, writeTool } from "@/server/testing/guarded-calls";
import type { GuardedTool } from "../asked-call";
import { onTrial } from "../call-on-trial";
import { touchesOf } from "./touches-of";

/** What a call touches, each as "change a". */
function touched(tool: GuardedTool, args: JsonObject, folder: string | undefined = "/srv/notes"): string[] {
  const call = { ...callOf(tool, args), context: { interactive: true, folder } };
  return touchesOf(onTrial(call)).map(({ act, target }) => `${act} ${target}`);
}
const touchedBy = (command: string, args: JsonObject = {}) => touched(shellTool, { command, ...args });

describe("a command", () => {
  test.each(
    "[ base64 basename bat cat cd cksum cmp comm cut date df diff dirname du echo egrep env false fgrep file find fold grep head hexdump id jq less ls md5sum more nl od paste printf ps pwd readlink realpath rg seq sha1sum sha256sum sort stat strings tac tail test tr tree true type uname uniq wc which whoami xxd yq zcat".split(
      " ",
    ),
  )("%s only reads what it is given", (name) => {
    for (const touch of touchedBy(`${name} dir/a`)) expect(touch).toMatch(/^read /);
  });

  test.each(["cp", "install", "rsync", "scp"])("%s reads all but the last, and writes that or into it", (name) => {
    expect(touchedBy(`${name} a b c`).filter((touch) => !touch.endsWith("*"))).toEqual([
      "read a",
      "read b",
      "change c",
      "change c/a",
      "change c/b",
    ]);
  });

  test("what is copied and removed, linked or written over in place is changed", () => {
    expect(touchedBy("rsync --remove-source-files a b")).toContain("change a");
    expect(touchedBy("ln -s a b")).toEqual(["change a", "change b", "change b/a"]);
    expect(touchedBy("perl -pi -e s/a/b/ ./a")).toContain("change a");
    expect(touchedBy("ruby -i.bak -pe x ./a")).toContain("change a");
    expect(touchedBy("gawk -i inplace 1 ./a")).toContain("change a");
    expect(touchedBy("perl -pe s/a/b/ ./a")).toContain("read a");
    expect(touchedBy("git checkout .")).toContain("change *");
    expect(touchedBy("git restore src")).toEqual(["change restore", "change restore/*", "change src", "change src/*"]);
    expect(touchedBy("git add .")).not.toContain("change *");
  });

  test.each(["rm", "mv", "rmdir", "shred", "chmod", "chown", "trash", "srm"])("%s reaches what is in a folder", (name) => {
    expect(touchedBy(`${name} dir`)).toEqual(["change dir", "change dir/*"]);
  });
  test("rsync and find -delete reach into it too", () => {
    expect(touchedBy("rsync a dir")).toEqual(["read a", "change dir", "change dir/*", "change dir/a"]);
    expect(touchedBy("find dir -delete")).toEqual(["change dir", "change dir/*"]);
  });
  test.each(["touch", "truncate", "tee", "mkdir", "unlink", "patch", "split", "vi", "gzip", "dd", "ed"])("%s changes a file", (name) => {
    expect(touchedBy(`${name} a`)).toEqual(["change a"]);
  });

  test.each(["rm", "mv", "checkout", "restore", "clean", "apply"])("git %s changes files", (verb) => {
    expect(touchedBy(`git ${verb} a`)).toContain("change a");
  });
  test("other words of git, and of commands that nobody knows, are files when they look like one", () => {
    expect(touchedBy("git status a")).toEqual([]);
    expect(touchedBy("make rm a")).toEqual([]);
    expect(touchedBy("make ./a b.c")).toEqual(["change a", "change b.c"]);
  });

  test.each(["-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprint0", "-fprintf", "-fls"])("find %s changes", (action) => {
    expect(touchedBy(`find a ${action} b`)).toContain("change a");
  });
  test.each([
    ["sed -i d a", "change a"],
    ["sed -Ei d a", "change a"],
    ["sed --in-place=.bak d a", "change a"],
    ["sed -n d a", "read a"],
    ["sed d a-i", "read a-i"],
    ["sort -o a b", "change a"],
    ["sort -uo a b", "change a"],
    ["sort --output=a b", "change a"],
    ["sort a-o", "read a-o"],
    ["sort -r a", "read a"],
    ["tree -o a", "change a"],
    ["tree -ao a", "change a"],
    ["tree --noreport a", "read a"],
    ["tree a-o", "read a-o"],
    ["yq -i . a", "change a"],
    ["yq -Pi . a", "change a"],
    ["yq --inplace . a", "change a"],
    ["yq --indent 2 a-i", "read a-i"],
    ["find a-delete", "read a-delete"],
    ["find a -name x-delete", "read a"],
    ["find a -deleted", "read a"],
    ["xxd a b", "change b"],
    ["uniq a b", "change b"],
    ["uniq a", "read a"],
  ])("%s: %s", (command, touch) => {
    expect(touchedBy(command)).toContain(touch);
  });
  test.each([
    "curl -o Makefile https://example.com/x",
    "curl -oMakefile https://example.com/x",
    "curl -sSLo Makefile https://example.com/x",
    "curl --output=Makefile https://example.com/x",
    "curl --out Makefile https://example.com/x",
    "curl -O https://example.com/a/Makefile",
    "curl -sSOL https://example.com/a/Makefile?x=1",
    "wget -O Makefile https://example.com/x",
    "wget -qOMakefile https://example.com/x",
    "wget --output-doc=Makefile https://example.com/x",
    "wget https://example.com/Makefile",
    "wget -o Makefile https://example.com/x",
    "sort -oMakefile /dev/null",
    "sort -uo Makefile /dev/null",
    "sort --out=Makefile /dev/null",
    "gcc -o Makefile x.c",
    "gcc -oMakefile x.c",
    "go build -o Makefile",
    "openssl rand -out Makefile 8",
    "tar cf Makefile src",
    "tar -cf Makefile src",
    "tree -o Makefile",
    "pg_dump -f Makefile db",
    "cp /tmp/Makefile .",
    "cp -t . /tmp/Makefile",
    "mv old/Makefile ./",
    "install --target-dir=. /tmp/Makefile",
    "rsync -a host:src/Makefile .",
    "sudo curl -o Makefile https://example.com/x",
  ])("%s changes Makefile", (command) => {
    expect(touchedBy(command)).toContain("change Makefile");
  });
  test.each([
    "grep -o Makefile",
    "ls -o Makefile",
    "ps -o Makefile",
    "curl https://example.com/Makefile",
    "cp Makefile /tmp",
    "cat Makefile",
  ])("%s leaves Makefile as it is", (command) => {
    expect(touchedBy(command)).not.toContain("change Makefile");
  });

  test("uniq and xxd read what they do not write", () => {
    expect(touchedBy("uniq a b")).toEqual(["read a", "change b"]);
  });

  test.each([
    ["rm -f a", ["change a", "change a/*"]],
    ["rm -- -a", ["change -a", "change -a/*"]],
    ["rm ''", []],
    ["rm -- ''", []],
    ["rm '  '", []],
    ["rm $X", []],
    ["rm a$X", ["change a*", "change a*/*"]],
    ["cp a $X", ["read a"]],
    ["dd if=a of=b", ["change a", "change b"]],
    ["tar --file=a.tar", ["change a.tar"]],
    ["touch --a-b=c", ["change c"]],
    ["touch dir/a=b", ["change dir/a=b"]],
    ["touch 'a=b\nc'", ["change b\nc"]],
    ["touch a=", ["change a="]],
    ["touch a-", ["change a-"]],
    ["rm ~/a", ["change ~/a", "change ~/a/*"]],
    ["rm $HOME/a", ["change ~/a", "change ~/a/*"]],
    ["rm a~", ["change a~", "change a~/*"]],
    ["touch 'a\\b'", ["change a/b"]],
    ["touch ' a '", ["change a"]],
    ["touch a//b/../c///", ["change a/c"]],
    ["touch /", ["change /"]],
    ["touch file:///srv/notes/a", ["change a"]],
    ["touch a/file://b", ["reach b", "change a/file:/b"]],
    ["touch /srv/notes /srv/notes/a /srv/noteser/a", ["change .", "change a", "change /srv/noteser/a"]],
    ["> a", ["change a"]],
    ["cat a > b", ["read a", "change b"]],
    ["> $X", []],
    ["cd sub; touch a", ["read sub", "change sub/a"]],
    ["cd $X; touch a", ["change a"]],
    ["cd a$X; touch b", ["read a*", "change b"]],
  ])("%s touches %j", (command, touches) => {
    expect(touchedBy(command)).toEqual(touches);
  });

  test("works in the folder that the call names", () => {
    expect(touchedBy("touch a", { cwd: "docs" })).toEqual(["change docs/a"]);
    expect(touchedBy("cd sub; touch a", { cwd: "docs" })).toEqual(["read docs/sub", "change docs/sub/a"]);
    expect(touchedBy("touch a", { cwd: 5 })).toEqual(["change a"]);
  });

  test("of a conversation without a folder has paths as they are", () => {
    const call = { ...callOf(shellTool, { command: "touch /srv/notes/a b" }), context: { interactive: true } };
    expect(touchesOf(onTrial(call)).map(({ target }) => target)).toEqual(["/srv/notes/a", "b"]);
  });

  test.each([
    "python",
    "python3.12",
    "node",
    "nodejs",
    "deno",
    "bun",
    "perl",
    "ruby",
    "php",
    "lua",
    "tclsh",
    "Rscript",
    "osascript",
    "awk",
    "gawk",
    "mawk",
  ])("of %s may change what is quoted in its program, and reads its files", (name) => {
    expect(touchedBy(`${name} -e "unlink('a b')" ./in.txt`)).toEqual(
      expect.arrayContaining(["change a b", "change a", "change b", "read in.txt"]),
    );
  });
  test("that feeds an interpreter is one", () => {
    expect(touchedBy("python3 <<< \"open('a')\"")).toContain("change a");
    expect(touchedBy("mypython x.py \"open('a')\"")).not.toContain("change a");
    expect(touchedBy("nodemon x.js \"open('a')\"")).not.toContain("change a");
  });

  test.each([
    ["curl https://Example.com./a", "reach example.com"],
    ["curl -s http://me:secret@example.com:8080/a?b", "reach example.com"],
    ["wget ftp://example.com", "reach example.com"],
    ["git clone git+ssh://git@example.com/a.git", "reach example.com"],
    ["python3 -c \"get('https://example.com/a')\"", "reach example.com"],
  ])("%s: %s", (command, touch) => {
    expect(touchedBy(command)).toContain(touch);
  });
});

describe("a call of another tool", () => {
  test.each(
    "path paths file files filename dir directory folder src source dest destination target from to uri url output input location".split(
      " ",
    ),
  )("touches the path in its argument %s", (name) => {
    expect(touched(mcpTool, { [name]: "a" })).toEqual(["change a"]);
    expect(touched(mcpTool, { [`the_${name}`]: "a" })).toEqual(["change a"]);
    expect(touched(mcpTool, { [`the-${name}`]: "a" })).toEqual(["change a"]);
    expect(touched(mcpTool, { [`the${name.charAt(0).toUpperCase()}${name.slice(1)}`]: "a" })).toEqual(["change a"]);
    expect(touched(mcpTool, { [`${name}_of`]: "a" })).toEqual([]);
  });

  test.each(["id", "key", "name", "title", "resource", "table", "bucket", "note_id", "noteId"])(
    "touches what its server calls a thing by in its argument %s",
    (name) => {
      expect(touched({ ...mcpTool, sourceRef: "server-1" }, { [name]: " 17 " })).toEqual(["change server-1#17"]);
      expect(touched(mcpTool, { [name]: "17" })).toEqual(["change mcp#17"]);
    },
  );
  test.each(["grid", "idea", "note_idx", "Idle", "monkey", "keys", "surname", "names", "subtitle", "titles", "resources", "my_resource"])(
    "says nothing by its argument %s",
    (name) => {
      expect(touched(mcpTool, { [name]: "17" })).toEqual([]);
    },
  );
  test.each(["tables", "constable", "buckets", "my_bucket", "content"])("says nothing by its argument %s either", (name) => {
    expect(touched(mcpTool, { [name]: "17" })).toEqual([]);
  });

  test.each(["code", "Script", "source_code", "sourcecode", "program", "command", "cmd", "query", "sql", "expression"])(
    "touches what is quoted in the program in its argument %s",
    (name) => {
      expect(touched(mcpTool, { [name]: "f('a   b')" })).toEqual(["change a   b", "change a", "change b"]);
      expect(touched(mcpTool, { [`x${name}`]: "f('a')" })).toEqual([]);
      expect(touched(mcpTool, { [`${name}x`]: "f('a')" })).toEqual([]);
    },
  );

  test("reads when the tool only reads, and changes otherwise", () => {
    expect(touched(readTool, { path: "a" })).toEqual(["read a"]);
    expect(touched(writeTool, { path: "a" })).toEqual(["change a"]);
    expect(touched({ ...mcpTool, primaryArgument: "what" }, { what: "a", other: "b" })).toEqual(["change a"]);
  });

  test("reaches the hosts that stand in any argument", () => {
    expect(touched(mcpTool, { text: "see https://example.com/a and http://EXAMPLE.org" })).toEqual([
      "reach example.com",
      "reach example.org",
    ]);
  });

  test("is known by paths at any depth, on one line and no longer than a path", () => {
    expect(touched(mcpTool, { files: [{ path: "a" }, { path: "b" }] })).toEqual(["change a", "change b"]);
    expect(touched(mcpTool, { path: "a\nb" })).toEqual([]);
    expect(touched(mcpTool, { path: "a\rb" })).toEqual([]);
    expect(touched(mcpTool, { path: "a\0b" })).toEqual([]);
    expect(touched(mcpTool, { path: "  " })).toEqual([]);
    expect(touched(mcpTool, { id: " " })).toEqual([]);
    expect(touched(mcpTool, { path: "a".repeat(1_024) })).toHaveLength(1);
    expect(touched(mcpTool, { path: "a".repeat(1_025) })).toEqual([]);
    expect(touched(mcpTool, { code: "f('a\nb')" })).toEqual(["change a", "change b"]);
  });

  test("is known by three hundred touches at the most, and by twenty hosts a text", () => {
    expect(touched(mcpTool, { paths: Array.from({ length: 400 }, (_, at) => `a${at}`) })).toHaveLength(300);
    const hosts = Array.from({ length: 30 }, (_, at) => `https://h${at}.example`).join(" ");
    expect(touched(mcpTool, { text: hosts })).toHaveLength(20);
    expect(touchedBy(`touch ${"a".repeat(1_024)} ${"b".repeat(1_025)}`)).toEqual([`change ${"a".repeat(1_024)}`]);
  });
});
