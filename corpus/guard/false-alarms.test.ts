import { describe, expect, test } from "vitest";
import type { GuardRequest } from "@/server/guard/call/guard-request";
import { decide } from "@/server/guard/decide";
import type { FolderFacts } from "@/server/guard/paths/locate-path";
import { buildRequest, policyOfRules, shellCall, shellTool, writeTool } from "@/server/testing/guard/guarded-calls";
import { everydayFolder } from "./everyday";

/** A folder in which these files do not exist yet. */
const files: FolderFacts = {
  real: new Map(),
  madeHere: new Set(),
  missing: new Set([".env", ".env.test", "dev.key", "dev.crt"]),
  sensitive: [],
  linksOut: [],
  unfollowed: [],
  gap: null,
};

function decisionOf(given: string | GuardRequest, { sandboxed = true, allowsShell = false } = {}) {
  const call = typeof given === "string" ? shellCall(given) : given;
  const policy = policyOfRules(allowsShell ? [{ tool: shellTool.name, verdict: "allow" }] : []);
  return decide(policy, { ...call, context: { ...call.context, folder: everydayFolder, sandboxed, files } });
}

const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";

describe("in the sandbox nobody is asked about", () => {
  test.each([
    "cp .env.example .env",
    "echo PORT=3000 >> .env.test",
    "openssl req -x509 -newkey rsa:2048 -nodes -keyout dev.key -out dev.crt -subj /CN=localhost",
    `echo '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="' >> package-lock.json`,
    "echo 'by 👩‍👩‍👧' > family.md",
    "git diff --stat",
    "tree -L 2",
  ])("%s", (command) => {
    expect(decisionOf(command)).toMatchObject({ verdict: "allow" });
  });
});

test("nobody is asked about a token in a test file, which is made up", () => {
  const content = `const token = "${jwt}";`;
  expect(decisionOf(buildRequest({ ...writeTool, needs: ["files"] }, { path: "auth.test.ts", content }))).toMatchObject({
    verdict: "allow",
  });
  expect(decisionOf(buildRequest({ ...writeTool, needs: ["files"] }, { path: "auth.ts", content }))).toMatchObject({
    verdict: "require_approval",
  });
});

describe("without the sandbox a rule for programs that look does not cover one that writes", () => {
  test.each([
    "git diff --output=p",
    "git log --output=p",
    "git show --output p",
    "tree --output p",
    "tree -o p",
    "sed -n '1{p;w p' -e '}' x",
  ])("%s", (command) => {
    expect(decisionOf(command, { sandboxed: false })).toMatchObject({ verdict: "require_approval" });
  });
});

describe("a person may say yes to", () => {
  test.each(["sudo chown -R me /usr/local", "find /usr/local -type d -exec chmod 755 {} +"])("%s", (command) => {
    expect(decisionOf(command, { sandboxed: false })).toMatchObject({ verdict: "require_approval" });
  });
});
