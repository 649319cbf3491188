import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { examples } from "@/server/testing/guard/examples";
import { buildRequest, mcpTool, policyOfRules, writeTool } from "@/server/testing/guard/guarded-calls";
import { decide } from "../decide";

const policy = policyOfRules([{ verdict: "allow" }]);
const foundIn = (name: string, args: JsonObject) => decide(policy, buildRequest({ ...mcpTool, name }, args), 0).findings;
const idsIn = (name: string, args: JsonObject) => foundIn(name, args).map(({ detector }) => detector);

describe("a command in an argument", () => {
  test.each([
    "a$(id)",
    "a${IFS}b",
    "a`id`",
    "a; id",
    "a | id",
    "a || id",
    "a && id",
    "a;./id",
    "<(id)",
    ">(id)",
    "a\nid -a",
    "a\r\nid -a",
    "a > b",
    "a >> b",
    "a >b",
    "a\n  id  -a",
  ])("%j is found for a tool that starts programs", (ref) => expect(idsIn("git__checkout", { ref })).toEqual(["mcp.injection"]));

  test.each(["main", "a;", "a|", "a b", "`", "``", "$(", "$()", "a\nb", "a>b", "{IFS}"])("%j has no command in it", (ref) => {
    expect(idsIn("git__checkout", { ref })).toEqual([]);
  });

  test.each(examples`
    git__checkout ¦ docker_build ¦ runTask ¦ images__convert ¦ npm-install ¦ make ¦ host__ping
  `)("%s starts programs", (name) => expect(idsIn(name, { ref: "a; id" })).toContain("mcp.injection"));

  test.each(["notes__save_note", "digits__add", "remake", "trunk__list"])("%s does not", (name) => {
    expect(idsIn(name, { ref: "a; id" })).toEqual([]);
  });

  test.each(examples`
    text ¦ contents ¦ message ¦ description ¦ title ¦ comment ¦ prompt ¦ query ¦ q ¦ summary ¦ note ¦ markdown ¦ html ¦ regex ¦ old_str
    oldstr ¦ newText
  `)("such signs are ordinary in the argument %s", (name) => expect(idsIn("git__commit", { [name]: "first; then" })).toEqual([]));

  test.each(["context", "texture", "my_text", "textual"])("but not in the argument %s", (name) => {
    expect(idsIn("git__commit", { [name]: "first; then" })).toEqual(["mcp.injection"]);
  });

  test("a long text is no argument of a program, and what is looked at as a command is not looked at twice", () => {
    expect(idsIn("git__checkout", { ref: `a; id${" ".repeat(1_995)}` })).toEqual(["mcp.injection"]);
    expect(idsIn("git__checkout", { ref: `a; id${" ".repeat(1_996)}` })).toEqual([]);
    expect(idsIn("sandbox__bash", { command: "ls; ls" })).toEqual([]);
  });

  test("is told with the argument's name, and how many more there are", () => {
    expect(foundIn("git__checkout", { ref: "a; id", path: "b" })).toMatchObject([
      { message: "The argument `ref` has signs that a shell acts on: `a; id`.", excerpt: "a; id" },
    ]);
    expect(foundIn("git__checkout", { ref: "a; id", tag: "b; id" })[0]?.message).toMatch(/^The argument `ref` .* \(2×\)\.$/);
  });

  test("our own tools hand nothing to a shell", () => {
    expect(decide(policy, buildRequest({ ...writeTool, name: "run_git", needs: [] }, { ref: "a; id" }), 0).findings).toEqual([]);
  });
});

describe("a path outside of a server's folders", () => {
  test.each([
    ["../x", "climbs with `..`"],
    ["..", "climbs with `..`"],
    ["a/../../x", "climbs with `..`"],
    ["a/../x", "climbs with `..`"],
    ["a/..", "climbs with `..`"],
    ["a\\..\\x", "climbs with `..`"],
    ["%2e%2e/x", "climbs with `..`"],
    ["%2E%2E%2Fx", "climbs with `..`"],
    ["a%5c..%5cx", "climbs with `..`"],
    ["%c0%ae%c0%ae/x", "climbs with `..`"],
    ["repo://../x", "climbs with `..`"],
    ["~/x", "lies in a home folder"],
    ["~", "lies in a home folder"],
    ["$HOME/x", "lies in a home folder"],
    ["${HOME}/x", "lies in a home folder"],
    ["%USERPROFILE%\\x", "lies in a home folder"],
  ])("%s %s", (path, why) => {
    expect(foundIn("notes__save_note", { path })).toMatchObject([{ detector: "mcp.path", message: `\`${path}\` ${why}.`, excerpt: path }]);
  });

  test.each(examples`
    a/b ¦ a..b/c ¦ ... ¦ a/... ¦ x~y ¦ docs/$HOMEPAGE ¦ %2/x ¦ a/$HOME/x ¦ a/%USERPROFILE% ¦ a/~
  `)("%s stays inside", (path) => expect(idsIn("notes__save_note", { path })).toEqual([]));

  test("is one under any name when it looks like one, and under a path's name whatever it looks like", () => {
    expect(idsIn("notes__save_note", { anything: "../x" })).toEqual(["mcp.path"]);
    expect(idsIn("notes__save_note", { path: ".." })).toEqual(["mcp.path"]);
    expect(idsIn("notes__save_note", { anything: ".." })).toEqual([]);
    expect(idsIn("notes__save_note", { anything: "../" })).toEqual(["mcp.path"]);
    for (const anything of ["go ../ up", "go ../up", "../up now"]) expect(idsIn("notes__save_note", { anything })).toEqual([]);
  });

  test("may be one that is longer than any path", () => {
    const path = `${"./".repeat(2_048)}../x`;
    expect(foundIn("notes__save_note", { path })[0]?.message).toMatch(/is longer than any path\.$/);
    expect(idsIn("notes__save_note", { path: `${"./".repeat(2_047)}a` })).toEqual([]);
    expect(idsIn("notes__save_note", { anything: path })).toEqual([]);
  });
});

describe("the name of a prototype", () => {
  test.each([
    ['{"__proto__":{"a":1}}', "__proto__"],
    ['{"a":[{"b":{"__proto__":1}}]}', "__proto__"],
    ['{"constructor":{"prototype":{"a":1}}}', "constructor.prototype"],
    ['{"a":{"constructor":{"prototype":null}}}', "constructor.prototype"],
  ])("%s is denied", (text, name) => {
    const decision = decide(policy, buildRequest(mcpTool, JSON.parse(text)), 0);
    expect(decision.verdict).toBe("deny");
    expect(decision.findings).toMatchObject([
      { detector: "mcp.prototype", message: `An argument has the member \`${name}\`.`, excerpt: name },
    ]);
  });

  test.each(examples`
    {"constructor":"Ada"} ¦ {"constructor":null} ¦ {"constructor":{"name":"x"}} ¦ {"x":{"prototype":1}} ¦ {"prototype":{}}
    {"a":"__proto__"} ¦ {"a":[1,null,"b"]}
  `)("%s is ordinary", (text) => expect(decide(policy, buildRequest(mcpTool, JSON.parse(text)), 0).findings).toEqual([]));
});

test.each<JsonObject>([
  { branch: "--upload-pack=touch x" },
  { host: "-oProxyCommand=id" },
  { ref: " -rf" },
  { refs: ["main", "--output=x"] },
  { to: { path: "-x" } },
  { argsx: "-x" },
  { xarg: "-x" },
  { flagsx: "-x" },
  { optionsx: "-x" },
  { paramsx: "-x" },
  { resort: "-x" },
])("what a program takes for an option is no plain value: %j", (args) => {
  expect(idsIn("git__clone", args)).toContain("mcp.injection");
  expect(foundIn("git__clone", args)[0]?.message).toContain("begins as an option of a program does");
});
test.each<JsonObject>([
  { url: "ext::sh -c id" },
  { branch: "fd::17" },
  { remote_url: "foo::bar" },
  { repository: "hg::https://example.com/x" },
  { branch: " ext::sh" },
  { uri: " foo::bar" },
  { urls: "foo::bar" },
  { remote: "foo::bar" },
  { repo: "foo::bar" },
  { my_origin: "foo::bar" },
  { myurl: "foo::bar" },
  { myuri: "foo::bar" },
])("what names a program that fetches is found: %j", (args) => {
  expect(foundIn("git__clone", args)[0]?.message).toContain("names a program that is to fetch it");
});
test.each<[JsonObject, string]>([
  [{ args: ["--oneline"], flags: "-v", extraArgs: ["-x"], git_options: "--all" }, "git__log"],
  [{ sort: "-committerdate", order_by: "-date", filter: "-stale" }, "git__branches"],
  [{ volume: "-5dB", offset: "-1", message: "- a list" }, "ffmpeg__convert"],
  [{ symbol: "std::vector", address: "::1x" }, "build__find"],
  [{ extra_arg: "-x", my_flag: "-x", "my-option": "-x", my_param: "-x", program: "-x" }, "git__log"],
  [{ branch: "a ext::sh", url: "5 a::b", sourcex: "a::b", xrepo: "a::b", urlx: "a::b" }, "git__log"],
  [{ branch: "a-b", url: "https://example.com/a.git" }, "git__clone"],
  [{ branch: "--upload-pack=x", url: "ext::sh" }, "notes__save"],
])("what is ordinary stays so: %j of %s", (args, name) => expect(idsIn(name, args)).toEqual([]));
