import { expect, test } from "vitest";
import { leftReferences, leftServers } from "./left-references";

test("the references of every program's form are named once, and escaped ones are none", () => {
  const config = {
    a: "Bearer ${GITHUB_TOKEN}",
    b: "${input:WEB_KEY}",
    c: "${env:WEB_KEY}",
    d: "$${HOME}",
    e: "$HOME",
  };
  expect(leftReferences(config)).toEqual(["GITHUB_TOKEN", "WEB_KEY"]);
  expect(leftReferences({})).toEqual([]);
});

test("the secret inputs of a registry's list are named, and the servers that it leaves out", () => {
  const remote = { url: "https://example.com/mcp?key={key}", variables: { key: { isSecret: true } } };
  const started = { environmentVariables: [{ name: "TOKEN", isSecret: true }], packageArguments: [{ value: "plain" }] };
  const leftOut = [{ server: "local", reason: "Its program comes from no registry." }];
  const list = { servers: [{ server: { remotes: [remote], packages: [started] } }], metadata: { count: 1, leftOut } };
  expect(leftReferences(list)).toEqual(["key", "TOKEN"]);
  expect(leftServers(list)).toEqual(leftOut);
  expect(leftServers({ mcpServers: {} })).toEqual([]);
});
