import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { buildRequest, mcpTool, policyOfRules, writeTool } from "@/server/testing/guard/guarded-calls";
import type { GuardedTool } from "../call/guard-request";
import { decide } from "../decide";
import { allDetectors } from "./all-detectors";

const policy = policyOfRules([{ verdict: "allow" }]);

test("every detector has its own id, and says why and what to do instead", () => {
  expect(new Set(allDetectors.map(({ id }) => id)).size).toBe(allDetectors.length);
  for (const { id, title, explanation, fix } of allDetectors) {
    expect(id).toMatch(/^[a-z]+\.[a-z_]+$/);
    expect(title.length).toBeGreaterThan(3);
    expect(explanation).toMatch(/\.$/);
    expect(fix).toMatch(/\.$/);
  }
});

test.each<[JsonObject, string]>([
  [{ command: "rm -rf /" }, "system__do"],
  [{ cmd: "sudo reboot" }, "system__do"],
  [{ command: "sh", args: ["-c", "rm -rf /"] }, "system__do"],
  [{ command: ["bash", "-c", "rm -rf /"] }, "system__do"],
  [{ script: "rm -rf /" }, "server__bash"],
  [{ what: "rm -rf /" }, "runShell"],
])("%j of %s is looked at as a command: the floor holds", (args, name) => {
  expect(decide(policy, buildRequest({ ...mcpTool, name }, args))).toMatchObject({
    verdict: "deny",
    reason: expect.stringContaining("never run"),
  });
});

test("a hostile text of 64 KB is decided like any other, by every detector that looks at it", () => {
  const pieces = [
    "a",
    "=",
    "password=",
    "http://",
    "a:/",
    "../",
    "/etc/",
    "(delete from t ",
    "'",
    "$a$",
    "eyJaaaaaaaa.",
    "\\",
    "~",
    "\u200D",
  ];
  const more = ["=a1B", ".env ", "127.", "a@", "\n", "*?[", "key:", "select ", "; x", "\u{E0041}"];
  const sqlTool: GuardedTool = { ...mcpTool, name: "sql__run" };
  const webTool: GuardedTool = { ...mcpTool, name: "web__run", needs: ["http"] };
  for (const piece of [...pieces, ...more]) {
    const text = piece.repeat(Math.ceil(65_536 / piece.length)).slice(0, 65_536);
    const calls = [
      buildRequest(sqlTool, { sql: text }),
      buildRequest(webTool, { url: text }),
      buildRequest(mcpTool, { host: text }),
      buildRequest(writeTool, { path: text }),
    ];
    for (const call of calls) expect(["allow", "require_approval", "deny"], JSON.stringify(piece)).toContain(decide(policy, call).verdict);
  }
});
