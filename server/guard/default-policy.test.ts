import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { Verdict } from "@/contracts/decisions/decision";
import { builtinTools } from "@/server/testing/builtin-tools";
import { examples, examplesByName } from "@/server/testing/guard/examples";
import { buildRequest, mcpTool, policyOfRules, readTool, shellCall, writeTool } from "@/server/testing/guard/guarded-calls";
import type { GuardContext, GuardRequest } from "./call/guard-request";
import { decide } from "./decide";
import { type DeclaredEffect, deletes, fetches, sends } from "./effects/declare-effects";

const folder = "/data/conversations/a";
const policy = policyOfRules([], { allowedHosts: ["registry.npmjs.org"] });
const decided = (call: GuardRequest, context: Partial<GuardContext> = {}) =>
  decide(policy, { ...call, context: { interactive: true, folder, ...context } });
const boxed = (call: GuardRequest, context: Partial<GuardContext> = {}) => decided(call, { sandboxed: true, ...context });

describe("by its effects, a shell command", () => {
  test.each(
    examplesByName({
      // Only reads the folder, or files that are public on the machine.
      "allow allow": examples`
        ls -la ¦ cat a.txt src/*.ts | grep x | head ¦ cat /etc/os-release; uname -a ¦ cat a > /dev/null
      `,
      // Stays in the sandbox.
      "require_approval allow": examples`
        echo x > a.txt ¦ mkdir -p src && mv a b ¦ rm a.txt ¦ rm -rf node_modules ¦ ps eww ¦ npm test ¦ ./build.sh ¦ python3 -c 'print(1)'
        a-program-that-nobody-knows ¦ cat $x ¦ git commit -m x ¦ echo x > /tmp/x ¦ curl localhost:3000 ¦ npm install ¦ tar xzf a.tgz
        unzip a.zip ¦ grep -r password / ¦ grep -re key /etc ¦ diff -r . /proc ¦ find / -exec cat {} +
      `,
      // Leaves the sandbox, or destroys work that exists nowhere else.
      "require_approval require_approval": examples`
        cat ../x ¦ cat .env ¦ curl https://example.com ¦ echo x > .git/hooks/pre-commit ¦ find . -print0 | xargs -0 rm
        git ls-files | xargs -I{} rm {} ¦ rm -rf src ¦ git reset --hard ¦ git push ¦ sudo ls ¦ docker ps ¦ crontab -e ¦ psql -c 'select 1'
      `,
    }),
  )("is %s, without the sandbox and in it: %s", (verdicts, command) => {
    expect([decided(shellCall(command)).verdict, boxed(shellCall(command)).verdict]).toEqual(verdicts.split(" "));
  });

  test("says why it passes", () => {
    expect(decided(shellCall("ls")).reason).toBe("No rule matched. This call of shell_execute only reads.");
    expect(boxed(shellCall("mkdir a")).reason).toBe("No rule matched. This call of shell_execute stays in the sandbox.");
    expect(boxed(buildRequest(writeTool, { path: "a" })).reason).toBe("No rule matched. This call of write_file stays in its folder.");
  });

  test("says what it does where it is asked about, and how much more there is", () => {
    expect(decided(shellCall("mkdir a")).reason).toBe("No rule matched. This call writes a.");
    expect(decided(shellCall("mkdir a b c")).reason).toBe("No rule matched. This call writes a, and 2 more.");
    const off = { detectors: { "workspace.escape": { enabled: false } } };
    const call = { ...shellCall("mkdir a; cat ../x"), context: { interactive: true, sandboxed: true } };
    expect(decide(policyOfRules([], off), call).reason).toBe("No rule matched. This call leaves the sandbox: it reads ../x.");
  });

  test("is another question as soon as it does something else, and the same while it does the same", () => {
    const digest = (command: string, context: Partial<GuardContext> = {}) => decided(shellCall(command), context).ruleDigest;
    expect(digest("mkdir a")).toBe(digest("mkdir   a"));
    expect(digest("mkdir a")).not.toBe(digest("mkdir b"));
    const off = policyOfRules([], { detectors: { "workspace.escape": { enabled: false } } });
    const linked = (to: string) => {
      const files = { real: new Map([["out", to]]), madeHere: new Set<string>(), sensitive: [], linksOut: [], unfollowed: [], gap: null };
      return decide(off, { ...shellCall("touch out"), context: { interactive: true, folder, files } }).ruleDigest;
    };
    // A link whose target has changed since the approval.
    expect(linked("/data/x")).toBe(linked("/data/x"));
    expect(linked("/data/x")).not.toBe(linked(`${folder}/out`));
  });
});

describe("by its effects, a call of another tool", () => {
  const fetchTool = { ...readTool, name: "url_fetch", needs: ["http"], effects: () => [fetches("/path", "https://example.com/x")] };
  const remove = { ...writeTool, name: "delete_file", effects: () => [deletes("/path", "src", { recursive: true })] };

  test.each<[what: string, call: GuardRequest, alone: Verdict, inBox: Verdict]>([
    ["a read inside", buildRequest(readTool, { path: "a" }), "allow", "allow"],
    ["a read outside, which file tools cannot do at all", buildRequest(readTool, { path: "/srv/x" }), "deny", "deny"],
    ["a read of a sensitive file", buildRequest(readTool, { path: ".env" }), "require_approval", "require_approval"],
    ["a GET", buildRequest(fetchTool, { path: "" }), "allow", "allow"],
    ["a write inside", buildRequest(writeTool, { path: "a" }), "require_approval", "allow"],
    ["a write of a file that runs by itself", buildRequest(writeTool, { path: ".git/hooks/x" }), "require_approval", "require_approval"],
    ["deleting a folder", buildRequest(remove, { path: "src" }), "require_approval", "require_approval"],
    ["one that says it does nothing", buildRequest({ ...writeTool, effects: () => [] }, {}), "allow", "allow"],
  ])("%s: %s without the sandbox, %s in it", (_what, call, alone, inBox) => {
    expect(decided(call).verdict).toBe(alone);
    expect(boxed(call).verdict).toBe(inBox);
  });

  test.each<[allowedHosts: string[], url: string, get: Verdict, post: Verdict]>([
    [[], "https://example.com/x", "allow", "require_approval"],
    [["example.com"], "https://example.com/x", "allow", "allow"],
    [["example.com"], "https://example.com:8443/x", "allow", "require_approval"],
    [["*.example.com"], "https://api.example.com/x", "allow", "allow"],
    [[], "http://localhost:8080/x", "require_approval", "require_approval"],
    [["localhost:8080"], "http://localhost:8080/x", "allow", "allow"],
    [["localhost:8080"], "http://localhost:8081/x", "require_approval", "require_approval"],
    [["10.0.0.5:80"], "http://10.0.0.5/x", "allow", "allow"],
    [["example.com:80"], "https://example.com/x", "allow", "require_approval"],
    [["[fd00::1]:8080"], "http://[fd00::1]:8080/x", "allow", "allow"],
    [[], "http://10.0.0.5.nip.io/x", "require_approval", "require_approval"],
    [["10.0.0.5.nip.io:80"], "http://10.0.0.5.nip.io/x", "allow", "allow"],
    [[], "http://93.184.216.34.nip.io/x", "require_approval", "require_approval"],
    [["169.254.169.254:80"], "http://169.254.169.254/x", "deny", "deny"],
  ])("with %j allowed, a GET of %s is %s and a POST %s, with the sandbox and without", (allowedHosts, url, get, post) => {
    for (const [effect, verdict] of [
      [fetches("/url", url), get],
      [sends("/url", url), post],
    ] as const) {
      const call = buildRequest({ ...fetchTool, primaryArgument: "url", effects: () => [effect] }, { url });
      for (const sandboxed of [true, false]) {
        expect(decide(policyOfRules([], { allowedHosts }), { ...call, context: { ...call.context, sandboxed } }, 0).verdict).toBe(verdict);
      }
    }
  });

  test("to a host of the own network that an admin allowed says so, and not that it stays in its folder", () => {
    const url = "http://localhost:8080/x";
    const call = buildRequest({ ...fetchTool, primaryArgument: "url", effects: () => [sends("/url", url)] }, { url });
    expect(decide(policyOfRules([], { allowedHosts: ["localhost:8080"] }), call, 0).reason).toBe(
      "No rule matched. This call of url_fetch reaches only hosts that an admin allowed.",
    );
  });

  test.each([
    ["read", "allow", "No rule matched. Default: tools that only read are allowed."],
    ["write", "require_approval", "No rule matched. Default: approval for tools that change things."],
    ["destroy", "require_approval", "No rule matched. Default: approval for tools that change or destroy things."],
  ] as const)("that does not say them goes by what the tool can do at worst: %s", (effect, verdict, reason) => {
    expect(boxed(buildRequest({ ...mcpTool, effect }, {}))).toMatchObject({ verdict, reason, ruleId: null });
  });

  test("names the server of a tool that asks only because nobody has confirmed its effect", () => {
    const tool = { ...mcpTool, effect: "destroy" as const, sourceRef: "server-1" };
    expect(boxed(buildRequest(tool, {})).unconfirmedServerId).toBe("server-1");
    expect(boxed(buildRequest({ ...tool, effectOverride: "destroy" as const }, {}))).not.toHaveProperty("unconfirmedServerId");
    expect(boxed(buildRequest({ ...tool, effect: "read" as const }, {}))).not.toHaveProperty("unconfirmedServerId");
  });

  test("goes by an admin's word before the effects that it declares, and a milder word lets no shell command pass", () => {
    const asWrite = { ...writeTool, effect: "destroy", effectOverride: "destroy" } as const;
    expect(boxed(buildRequest(asWrite, { path: "a" }))).toMatchObject({ verdict: "require_approval" });
    const asRead = { ...writeTool, effect: "read", effectOverride: "read" } as const;
    expect(decided(buildRequest(asRead, { path: "a" })).verdict).toBe("allow");
    expect(decided(buildRequest(asRead, { path: ".env" })).verdict).toBe("require_approval");
    const push = shellCall("git push");
    const said = (effect: "read" | "destroy") => ({ ...push, tool: { ...push.tool, effect, effectOverride: effect } });
    expect(boxed(said("read")).verdict).toBe("require_approval");
    const test = shellCall("npm test");
    expect(boxed(test).verdict).toBe("allow");
    expect(boxed({ ...test, tool: { ...test.tool, effect: "destroy", effectOverride: "destroy" } }).verdict).toBe("require_approval");
  });
});

test("a host that belongs to the tool, and no argument names, is measured by the allowed hosts as well", () => {
  const toHost = (host: string) => ({
    ...readTool,
    effect: "write" as const,
    effects: () => [{ kind: "send" as const, argument: "", host }],
  });
  expect(boxed(buildRequest(toHost("registry.npmjs.org"), {})).verdict).toBe("allow");
  expect(boxed(buildRequest(toHost("example.com"), {})).verdict).toBe("require_approval");
});

test("no tool of ours that acts inside Handrail is said to only read", () => {
  const actors = builtinTools.filter(({ effects }) => {
    const declared = effects ? declaredOf(effects) : [];
    return declared.length > 0 && declared.every(({ inside }) => inside !== undefined);
  });
  const named = ["send_message", "group_send", "todo_update", "start_workflow", "delegate", "spawn", "todo", "set_goal", "enable_tool"];
  expect(actors.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
  for (const tool of actors) {
    const call = buildRequest({ ...tool, source: "builtin", surface: "natural" }, {});
    for (const { verdict, reason } of [decided(call), boxed(call)]) {
      expect.soft(verdict, tool.name).toBe("allow");
      expect.soft(reason, tool.name).not.toMatch(/reads|stays in its folder|\(\)/);
    }
  }
});

test("no tool of ours that changes something declares that it does nothing", () => {
  // These look something up where their arguments do not say otherwise.
  const asking = /^(?:\w+_generate|browser_use|process|shell_execute|acp_permission)$/;
  const silent = builtinTools.filter(({ effect, effects }) => effect !== "read" && effects && declaredOf(effects, true).length === 0);
  expect(silent.map(({ name }) => name).filter((name) => !asking.test(name))).toEqual([]);
});

/** The effects that a tool declares of a call without arguments; a tool that cannot say them then declares some. */
function declaredOf(effects: (args: JsonObject) => readonly DeclaredEffect[], orSome = false): readonly DeclaredEffect[] {
  try {
    return effects({});
  } catch {
    return orSome ? [{ kind: "write", argument: "" }] : [];
  }
}
