import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { examples } from "@/server/testing/guard/examples";
import { buildRequest, mcpTool, policyOfRules, shellCall, writeTool } from "@/server/testing/guard/guarded-calls";
import { decide } from "../decide";

const policy = policyOfRules([{ verdict: "allow" }]);
const secretsIn = (args: JsonObject) => {
  const { findings, trace } = decide(policy, buildRequest(mcpTool, args), 0);
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
  ])("is none when it is %s", (_, args) => expect(secretsIn(args)).toEqual([]));

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
  const { findings } = decide(policy, buildRequest(mcpTool, { a: aws }), 0);
  expect(findings).toMatchObject([{ message: "An argument holds an AWS key.", excerpt: "AK***LE" }]);
});

test.each([`-----BEGIN ${"PRIVATE KEY"}-----`, `-----BEGIN OPENSSH ${"PRIVATE KEY"}-----`, `${"PuTTY-User-Key-File-"}3: ssh-rsa`])(
  "%s begins a private key, in whichever text",
  (marker) => {
    const { verdict, findings } = decide(policy, buildRequest(mcpTool, { a: "words", b: `${marker}\nabc` }), 0);
    expect(verdict).toBe("deny");
    expect(findings[0]).toMatchObject({ detector: "credential.private_key", message: "An argument holds a private key." });
    expect(marker).toContain(findings[0]?.excerpt);
  },
);

test.each(["the KEY of a map", "PuTTY-User manual, second edition", `-----BEGIN ${"PUBLIC KEY"}-----`])("%s begins none", (text) => {
  expect(secretsIn({ text })).toEqual([]);
});

/** Built from pieces, so that the repository contains nothing that looks like a secret. */
const secrets: [id: string, text: string][] = [
  ["credential.aws_key", `AKIA${"IOSFODNN7EXAMPLE"}`],
  ["credential.aws_key", `aws_secret_access_key = ${"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}`],
  ["credential.github_token", `ghp_${"a1B2".repeat(9)}`],
  ["credential.github_token", `github_pat_${"a1B2".repeat(9)}`],
  ["credential.slack_token", `xoxb-${"123456789012-abcdefghij"}`],
  ["credential.stripe_key", `sk_live_${"4eC39HqLyjWDarjtT1zdp7dc"}`],
  ["credential.google_key", `AIza${"SyA-1234567890abcdefghijklmnopqrstu"}`],
  ["credential.model_key", `sk-ant-api03-${"abcdefghijklmnop1234567890"}`],
  ["credential.model_key", `sk-proj-${"abcdefghijklmnop1234567890"}`],
  ["credential.service_token", `glpat-${"abcdefghij1234567890"}`],
  ["credential.jwt", `eyJ${"hbGciOiJIUzI1NiJ9"}.eyJ${"zdWIiOiIxMjM0In0"}.${"dozjgNryP4J3jVmNHl0w5N"}`],
  ["credential.bearer", `Authorization: Bearer ${"abcdef123456"}`],
  ["credential.bearer", `authorization: basic ${"dXNlcjpwYXNzd29yZA=="}`],
  ["credential.url_password", `postgres://app:${"hunter2hunter2"}@db.example.com/app`],
  ["credential.password", `password=${"correct-horse-9"}`],
  ["credential.password", `DB_PASSWORD: "${"p@ssw0rd#12"}"`],
  ["credential.password", `export API_KEY='${"9f8e7d6c5b4a"}'`],
  ["credential.high_entropy", `SIGNING=${"qX7vR2mK9pL4wZ8nB3tY6cF1"}`],
];

test.each(secrets)("%s is found, and nothing of the decision shows it: %s", (id, secret) => {
  for (const call of [shellCall(`deploy --with "${secret}"`), buildRequest(mcpTool, { deep: [{ note: secret }] })]) {
    const decision = decide(policy, call);
    expect(decision.findings.map(({ detector }) => detector)).toContain(id);
    expect(decision.verdict).not.toBe("allow");
    const core = secret.replace(/^.*[=:\s"'](?=[^=:\s"'@]{8})|["']$|@.*$/g, "").replace(/["']$/, "");
    expect(JSON.stringify(decision)).not.toContain(core);
  }
});

test.each(examples`
  no secrets: just prose ¦ password: required ¦ the token ring ¦ sha256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
  Bearer certificates ¦ TOKEN=$TOKEN ¦ const token = process.env.TOKEN; ¦ password = getPassword()
`)("%s is nothing to ask about", (text) => expect(secretsIn({ text })).toEqual([]));

test("a private key is denied, whatever rules allow, and the decision does not show it", () => {
  const key = `-----BEGIN RSA ${"PRIVATE KEY"}-----\nMIIEpAIBAAKCAQEA7x\n-----END RSA ${"PRIVATE KEY"}-----`;
  const decision = decide(policy, buildRequest(writeTool, { path: "a", content: key }));
  expect(decision).toMatchObject({ verdict: "deny", ruleId: null });
  expect(JSON.stringify(decision)).not.toContain("MIIEpAIBAAKCAQEA7x");
});
