import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { callOf, mcpTool, policyOfRules } from "@/server/testing/guarded-calls";
import { decide } from "../decide";

const policy = policyOfRules([{ verdict: "allow" }]);
const findingsIn = (args: JsonObject, name = "git__clone") => decide(policy, callOf({ ...mcpTool, name }, args), 0).findings;
const idsIn = (...asked: Parameters<typeof findingsIn>) => findingsIn(...asked).map(({ detector }) => detector);

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
  expect(idsIn(args)).toContain("mcp.injection");
  expect(findingsIn(args)[0]?.message).toContain("begins as an option of a program does");
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
  expect(findingsIn(args)[0]?.message).toContain("names a program that is to fetch it");
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
])("what is ordinary stays so: %j of %s", (args, name) => {
  expect(idsIn(args, name)).toEqual([]);
});
