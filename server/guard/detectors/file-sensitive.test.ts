import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { callOf, mcpTool, policyOfRules, readTool, shellCall, shellTool } from "@/server/testing/guarded-calls";
import type { AskedCall } from "../asked-call";
import { decide } from "../decide";

const policy = policyOfRules([{ verdict: "allow" }]);
const strict = policyOfRules([{ verdict: "allow" }], { sensitivePaths: ["plans"] });
const saidOf = (call: AskedCall, by = policy) =>
  decide(by, call, 0)
    .findings.filter(({ detector }) => detector === "file.sensitive")
    .map(({ message }) => message);
const inMcp = (args: JsonObject) => saidOf(callOf(mcpTool, args));
const inShell = (command: string) => saidOf(shellCall(command));

const why = {
  system: "is a file of the system that says who may do what, or what its programs know",
  folder: "lies in a folder of keys and secrets",
  secrets: "is a file that holds secrets",
  key: "is a file that holds a key",
};

describe("a path", () => {
  test.each(
    "/etc/passwd /private/etc/passwd /etc/passwd- /etc/shadow /etc/gshadow /etc/master.passwd /etc/sudoers /etc/sudoers.d/x /etc/security/x /etc/ssh/x /etc/ssl/private/x /etc/krb5.keytab /ETC/passwd /etc//./passwd /etc/a/../shadow \\etc\\shadow file:///etc/passwd file://localhost/etc/%70asswd file:/etc/passwd /proc/self/environ /proc/1/environ /proc/environ /proc/1/task/2/mem /proc/self/maps /proc/kcore".split(
      " ",
    ),
  )(`%s ${why.system}`, (path) => {
    expect(inMcp({ path })).toEqual([`\`${path}\` ${why.system}.`]);
  });

  test.each(
    ".ssh .ssh/x a/.ssh/x .aws/x .gnupg/x .kube/x .azure/x .gcloud/x .docker/x .password-store/x secrets/x credentials/x private-keys/x A/Secrets/x a\\.ssh\\x .s?h/x .[s]sh/x sec*ts/x".split(
      " ",
    ),
  )(`%s ${why.folder}`, (path) => {
    expect(inMcp({ path })).toEqual([`\`${path}\` ${why.folder}.`]);
  });

  test.each(
    ".env .netrc _netrc .pgpass .my.cnf .npmrc .pypirc .git-credentials .htpasswd .vault-token credentials credentials.json service-account.json service_account.json application_default_credentials.json authorized_keys id_rsa id_dsa id_ecdsa id_ed25519 sudoers a/.ENV .env/ .env.local .env.prod-1 .env.examples .env.x.y .e* .en? .e[n]v id_* cred*".split(
      " ",
    ),
  )(`%s ${why.secrets}`, (path) => {
    expect(inMcp({ path })).toEqual([`\`${path}\` ${why.secrets}.`]);
  });

  test.each("a.pem a.key a.p12 a.pfx a.jks a.keystore a.ppk a.kdbx a.asc.key A.PEM x/a.pem".split(" "))(`%s ${why.key}`, (path) => {
    expect(inMcp({ path })).toEqual([`\`${path}\` ${why.key}.`]);
  });

  test.each(
    "a/etc/passwd /etc/passwords /etc/shadows.txt /etc/hosts /proc/cpuinfo a/proc/self/environ /proc/self/environs /procx/mem secrets a/secrets secrets.md private .environment x.env .env.example .env.sample .env.template .env.dist .env.md .env. x.env.local .env.a/b a.pemx a.keys a.keyboard *.env *.ts * ? e* ??? [a] file:%zz .dockerignore service.json id_ sudo authorized".split(
      " ",
    ),
  )("%s is ordinary", (path) => {
    expect(inMcp({ path })).toEqual([]);
  });

  test("is one under a path's name, or when it looks like one", () => {
    for (const text of ["./.env", "../.env", "/a/.env", "~/.env", ".env", "c:\\.env", "C:/.env", "file:/a/.env"]) {
      expect(inMcp({ anything: text }), text).toHaveLength(1);
    }
    for (const text of ["a/.env", "see .env", "./a\n.env", "x./.env", "profile:/.env"]) expect(inMcp({ anything: text }), text).toEqual([]);
    expect(inMcp({ path: "a/.env" })).toHaveLength(1);
    expect(saidOf(callOf({ ...readTool, primaryArgument: "name" }, { name: "a/.env" }))).toHaveLength(1);
    expect(saidOf(callOf({ ...readTool, primaryArgument: "name" }, { other: "a/.env" }))).toEqual([]);
    expect(saidOf(callOf({ ...mcpTool, primaryArgument: "name" }, { name: "a/.env" }))).toEqual([]);
    expect(inMcp({ path: `${"a/".repeat(2_046)}.env` })).toHaveLength(1);
    expect(inMcp({ path: `${"a/".repeat(2_047)}.env` })).toEqual([]);
  });

  test("is sensitive where an admin says so, beside those that are everywhere", () => {
    expect(saidOf(callOf(mcpTool, { path: "a/plans/b" }), strict)).toEqual(["`a/plans/b` is sensitive here (`plans`)."]);
    expect(saidOf(callOf(mcpTool, { path: ".env" }), strict)).toEqual([`\`.env\` ${why.secrets}.`]);
    expect(saidOf(callOf(mcpTool, { path: "a/b" }), strict)).toEqual([]);
  });
});

describe("a command line", () => {
  test.each<[command: string, said: string]>([
    ["cat .env", `\`.env\` ${why.secrets}.`],
    ["cd .ssh; cat x", `\`.ssh\` ${why.folder}. And 1 more like it.`],
    ["cd /etc; cat passwd", `\`passwd\` ${why.system}.`],
    ["cat < a.pem", `\`a.pem\` ${why.key}.`],
    ["find . -name .env -exec cat {} +", `\`.env\` ${why.secrets}, and what is found is opened.`],
    ["python3 -c 'open(\"/etc/passwd\")'", "`/etc/passwd` is named in a program that would run."],
    ["node -e 'read(\"/etc/sudoers\")'", "`/etc/sudoers` is named in a program that would run."],
    ["python3 -c 'open(\".ssh/x\")'", "`.ssh/x` is named in a program that would run."],
    ["python3 -c 'open(\".gnupg/*\")'", "`.gnupg/*` is named in a program that would run."],
    ["python3 -c 'open(\"/proc/self/environ\")'", "`/proc/self/environ` is named in a program that would run."],
    ["python3 -c 'open(\"/proc/12/environ\")'", "`/proc/12/environ` is named in a program that would run."],
    ["python3 -c 'open(\"id_ed25519\")'", "`id_ed25519` is named in a program that would run."],
    ["python3 -c 'open(\"authorized_keys\")'", "`authorized_keys` is named in a program that would run."],
    ["python3 -c 'open(\".env\")'", "`.env` is named in a program that would run."],
    ["python3 -c 'open(\".env.local\")'", "`.env.local` is named in a program that would run."],
    ["x 'a .env.production b'", "`.env.production` is named in a program that would run."],
  ])("%s: %s", (command, said) => {
    expect(inShell(command)).toEqual([said]);
  });

  test.each([
    "echo 'see .env here'",
    "printf 'see /etc/passwd'",
    "x process.env.X",
    "node -e 'process.env.X'",
    "node -e 'a-id_rsa'",
    "node -e 'open(\".env.example\")'",
    "node -e 'id_rsax'",
    "node -e 'open(\"/etc/passwords\")'",
    "cat docs; cd docs; cat a",
    "find . -name .env",
    "'a .env' x",
  ])("%s is ordinary", (command) => {
    expect(inShell(command)).toEqual([]);
  });

  test("is looked at as one, and so are the other arguments of its call", () => {
    expect(saidOf(callOf(shellTool, { command: "ls", cwd: ".ssh" }))[0]).toContain(why.folder);
    expect(saidOf(callOf(shellTool, { command: ".env" }))).toEqual([]);
    expect(saidOf(callOf({ ...mcpTool, name: "sandbox__bash" }, { command: "cat .env", path: "a.pem" }))).toEqual([
      `\`a.pem\` ${why.key}. And 1 more like it.`,
    ]);
  });
});
