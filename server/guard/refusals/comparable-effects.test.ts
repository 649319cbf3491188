import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { examples, words } from "@/server/testing/guard/examples";
import { buildRequest, mcpTool, readTool, shellTool, writeTool } from "@/server/testing/guard/guarded-calls";
import { analyzeCall } from "../call/analyzed-call";
import type { GuardedTool, GuardRequest } from "../call/guard-request";
import { fetches, lists, writes } from "../effects/declare-effects";
import { comparableEffects } from "./comparable-effects";

const folder = "/srv/notes";
const touchesIn = (call: GuardRequest) => comparableEffects(analyzeCall(call)).map(({ act, target }) => `${act} ${target}`);
/** Returns the touches of a call, each as "change a". */
const touched = (tool: GuardedTool, args: JsonObject) => touchesIn({ ...buildRequest(tool, args), context: { interactive: true, folder } });
const touchedBy = (command: string, args: JsonObject = {}) => touched(shellTool, { command, ...args });

describe("a command", () => {
  test.each<[command: string, touches: string[]]>([
    ["cat a", ["read a"]],
    ["ls -la dir", ["read dir"]],
    ["ls", []],
    ["touch a", ["change a"]],
    ["rm a", ["change a"]],
    ["rm -r dir", ["change dir", "change dir/*"]],
    ["rm -rf .", ["change .", "change *"]],
    ["mv a b", ["change a", "change b", "change a/*", "change b/a"]],
    ["cp a c/b", ["read a", "change c/b", "change c/b/a"]],
    ["cp -t out x/a", ["read x/a", "change out", "change out/a"]],
    ["cat a > b", ["read a", "change b"]],
    ["make 2> /dev/null", []],
    ["git init; chmod 700 .", []],
    ["cat /dev/zero", []],
    ["cat /dev/sda", ["read /dev/sda"]],
    ["touch /srv/notes/a /srv/noteser/a", ["change a", "change /srv/noteser/a"]],
    ["rm $X", []],
    ["cp a $X", ["read a"]],
    ["./run.sh", ["change run.sh"]],
    ["curl -s http://me@Example.com.:8080/a?b", ["reach example.com:8080"]],
    ["ssh example.com", ["reach example.com"]],
    ["curl $X", []],
  ])("%s touches %j", (command, touches) => expect(touchedBy(command).sort()).toEqual(touches.sort()));

  test("works in the folder that the call names", () => {
    expect(touchedBy("touch a", { cwd: "docs" })).toEqual(["change docs/a"]);
    expect(touchedBy("touch a", { cwd: 5 })).toEqual(["change a"]);
  });

  test("of a conversation without a folder has paths as they are", () => {
    expect(touchesIn(buildRequest(shellTool, { command: "touch /srv/notes/a b" }))).toEqual(["change /srv/notes/a", "change b"]);
  });

  test("touches a link, and the file behind it", () => {
    const real = new Map([
      ["link", "/srv/notes/docs/a"],
      ["out", "/etc/hosts"],
      ["plain", "plain"],
    ]);
    const files = { real, madeHere: new Set<string>(), sensitive: [], linksOut: [], unfollowed: [], gap: null };
    const call = { ...buildRequest(shellTool, { command: "rm -r link; cat out plain" }), context: { interactive: true, folder, files } };
    expect(touchesIn(call).sort()).toEqual(
      ["change docs/a", "change docs/a/*", "change link", "change link/*", "read /etc/hosts", "read out", "read plain"].sort(),
    );
  });

  test.each(words`
    python python3.12 node nodejs deno bun perl ruby php lua tclsh Rscript osascript awk gawk mawk
  `)("of %s may change what is quoted in its program", (name) => {
    expect(touchedBy(`${name} -e "unlink('a b')"`)).toEqual(expect.arrayContaining(["change a b", "change a", "change b"]));
    expect(touchedBy(`my${name} -e "unlink('a b')"`)).not.toContain("change a b");
  });

  test.each(["python3 <<< \"open('a')\"", "python3 <<EOF\nopen('a')\nEOF", "echo \"open('a')\" | python3"])(
    "that is fed to an interpreter is one: %j",
    (command) => {
      expect(touchedBy(command)).toContain("change a");
    },
  );

  test("of an interpreter reaches hosts, and what is in the folders that it goes through", () => {
    expect(touchedBy("python3 -c \"get('https://example.com/a')\"")).toContain("reach example.com");
    expect(touchedBy("python3 -c \"connect('example.com', 80)\"")).toContain("reach example.com");
    expect(touchedBy("python3 -c \"rmtree('docs')\"")).toEqual(expect.arrayContaining(["change docs", "change docs/*"]));
  });

  test("shows no password of an address, and is the same call with another one", () => {
    const touches = touched(mcpTool, { url: "postgres://user:PW@db/x" });
    expect(touches.join(" ")).not.toContain("PW");
    expect(touches).toEqual(touched(mcpTool, { url: "postgres://user:another@db/x" }));
    expect(touchedBy("curl https://ann:hunter2@example.com/a").join(" ")).not.toContain("hunter2");
  });

  test("shows no secret in what it touches", () => {
    expect(touchedBy(`touch ghp_${"a1B2".repeat(9)}`).join()).not.toContain("a1B2a1B2a1B2");
  });
});

describe("a call of another tool", () => {
  test.each(words`
    path paths file files filename dir directory folder src source dest destination target from to uri url output input location
  `)("touches the path in its argument %s", (name) => {
    for (const called of [name, `the_${name}`, `the-${name}`, `the${name.charAt(0).toUpperCase()}${name.slice(1)}`])
      expect(touched(mcpTool, { [called]: "a" })).toEqual(["change a"]);
    expect(touched(mcpTool, { [`${name}_of`]: "a" })).toEqual([]);
  });

  test.each(examples`
    id ¦ key ¦ name ¦ title ¦ resource ¦ table ¦ bucket ¦ note_id ¦ noteId
  `)("touches what its server calls a thing by in its argument %s", (name) => {
    expect(touched({ ...mcpTool, sourceRef: "server-1" }, { [name]: " 17 " })).toEqual(["change server-1#17"]);
    expect(touched(mcpTool, { [name]: "17" })).toEqual(["change mcp#17"]);
  });

  test.each(words`
    grid idea note_idx Idle monkey keys surname names subtitle titles resources my_resource tables constable buckets my_bucket content
    resource_x
  `)("says nothing by its argument %s", (name) => expect(touched(mcpTool, { [name]: "17" })).toEqual([]));

  test.each(examples`
    code ¦ Script ¦ source_code ¦ sourcecode ¦ program ¦ query ¦ sql ¦ expression
  `)("touches what is quoted in the program in its argument %s", (name) => {
    expect(touched(mcpTool, { [name]: "f('a   b')" })).toEqual(["change a   b", "change a", "change b"]);
    expect(touched({ ...mcpTool, effect: "read" }, { [name]: "rmtree('a')" })).toEqual(["read a"]);
    expect(touched(mcpTool, { [`x${name}`]: "f('a')", [`${name}x`]: "f('a')" })).toEqual([]);
  });

  test("reads when the tool only reads, and changes otherwise", () => {
    expect(touched(readTool, { path: "a" })).toEqual(["read a"]);
    expect(touched(writeTool, { path: "a" })).toEqual(["change a"]);
    expect(touched({ ...mcpTool, primaryArgument: "what" }, { what: "a", other: "b" })).toEqual(["change a"]);
  });

  test("that says its effects is known by them, and by the program in its arguments", () => {
    const saying = { ...mcpTool, effects: () => [writes("/x", "out/a"), lists("/y", "dir"), fetches("/z", "https://example.com:8080/a")] };
    const args = { path: "b", url: "https://other.example", id: "17", code: "open('c')" };
    expect(touched(saying, args).sort()).toEqual(["change c", "change out/a", "reach example.com:8080", "read dir"]);
  });

  test("reaches the hosts that stand in any argument, twenty of a text", () => {
    expect(touched(mcpTool, { text: "see https://example.com./a and http://EXAMPLE.org" })).toEqual([
      "reach example.com",
      "reach example.org",
    ]);
    expect(touched(mcpTool, { host: "example.com:80", note: "example.net" })).toEqual(["reach example.com:80"]);
    const hosts = Array.from({ length: 30 }, (_, at) => `https://h${at}.example`).join(" ");
    expect(touched(mcpTool, { text: hosts })).toHaveLength(20);
  });

  test.each<[path: string, target: string]>([
    [" a ", "a"],
    ["a\\b", "a/b"],
    ["a//b/../c///", "a/c"],
    ["/", "/"],
    ["/srv/notes", "."],
    ["/srv/notes/a", "a"],
    ["/srv/noteser", "/srv/noteser"],
    ["file:///srv/notes/%61", "a"],
    ["file://localhost/srv/notes/a", "a"],
    ["file:///srv/notes/%zz", "%zz"],
    ["a".repeat(1_024), "a".repeat(1_024)],
  ])("touches the path %j as %j", (path, target) => expect(touched(mcpTool, { path })).toEqual([`change ${target}`]));

  test.each(["a\nb", "a\rb", "a\0b", "  ", "a".repeat(1_025)])("touches no path on several lines or longer than one: %j", (path) => {
    expect(touched(mcpTool, { path, id: path, code: `open('${"a".repeat(1_025)}')` })).toEqual([]);
  });

  test("is known by paths at any depth, three hundred at the most", () => {
    expect(touched(mcpTool, { files: [{ path: "a" }, { path: "b" }] })).toEqual(["change a", "change b"]);
    expect(touched(mcpTool, { paths: Array.from({ length: 400 }, (_, at) => `a${at}`) })).toHaveLength(300);
  });
});
