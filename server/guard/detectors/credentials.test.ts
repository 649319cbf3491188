import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { callOf, mcpTool, policyOfRules } from "@/server/testing/guarded-calls";
import { decide } from "../decide";

const policy = policyOfRules([{ verdict: "allow" }]);
const secretsIn = (args: JsonObject) => {
  const { findings, trace } = decide(policy, callOf(mcpTool, args), 0);
  expect(trace.map(({ result }) => result)).toEqual(["matched"]);
  return findings.map(({ detector }) => detector);
};
const aws = `AKIA${"IOSFODNN7EXAMPLE"}`;
const github = `ghp_${"a1B2".repeat(9)}`;

describe("a value under a secret's name", () => {
  test.each(["password", "passphrase", "apiKey", "api_key", "authorization", "cookie", "client_secret", "accessToken"])("%s", (name) => {
    expect(secretsIn({ [name]: "abcdef" })).toEqual(["credential.password"]);
  });

  test.each([
    ["too short to be one", { password: "abcde" }],
    ["a sentence", { password: "ask Ada for it" }],
    ["the name of a variable", { token: "$GITHUB_TOKEN" }],
    ["the name of a variable of Windows", { token: "%TOKEN%" }],
    ["the name of a setting", { token: "env:TOKEN" }],
    ["a place to fill in", { token: "{{token}}" }],
    ["a place to fill in, in brackets", { token: "<token>" }],
    ["how far a list was read", { next_token: "abcdefgh", pageToken: "abcdefgh", cursor_token: "abcdefgh", syncToken: "abcdefgh" }],
    ["under another name", { title: "abcdefgh" }],
  ])("is none when it is %s", (_, args) => {
    expect(secretsIn(args)).toEqual([]);
  });

  test("is one although it looks like a variable further on", () => {
    expect(secretsIn({ password: "abc%def" })).toEqual(["credential.password"]);
    expect(secretsIn({ password: "abcenv:def" })).toEqual(["credential.password"]);
  });
});

test("each kind of secret in a call is found, in whichever text it stands, and each once", () => {
  expect(secretsIn({ a: `x ${aws}`, b: ["words", `${github} and ${aws}`] })).toEqual(["credential.aws_key", "credential.github_token"]);
  expect(secretsIn({ a: "words", password: "abcdefgh", b: aws })).toEqual(["credential.aws_key", "credential.password"]);
  expect(secretsIn({ password: aws })).toEqual(["credential.aws_key", "credential.password"]);
});

test("a finding shows no more of a secret than is needed to recognise it", () => {
  const { findings } = decide(policy, callOf(mcpTool, { a: aws }), 0);
  expect(findings).toMatchObject([{ message: "An argument holds an AWS key.", excerpt: "AK***LE" }]);
});

test.each([`-----BEGIN ${"PRIVATE KEY"}-----`, `-----BEGIN OPENSSH ${"PRIVATE KEY"}-----`, `${"PuTTY-User-Key-File-"}3: ssh-rsa`])(
  "%s begins a private key, in whichever text",
  (marker) => {
    const { verdict, findings } = decide(policy, callOf(mcpTool, { a: "words", b: `${marker}\nabc` }), 0);
    expect(verdict).toBe("deny");
    expect(findings[0]).toMatchObject({ detector: "credential.private_key", message: "An argument holds a private key." });
    expect(marker).toContain(findings[0]?.excerpt);
  },
);

test.each(["the KEY of a map", "PuTTY-User manual, second edition", `-----BEGIN ${"PUBLIC KEY"}-----`])("%s begins none", (text) => {
  expect(secretsIn({ text })).toEqual([]);
});
