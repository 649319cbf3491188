import { describe, expect, test } from "vitest";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { getApproval } from "@/server/approvals/get-approval";
import { createGrant } from "@/server/approvals/grants/create-grant";
import { sha256 } from "@/server/platform/crypto";
import { createRule } from "@/server/policy/rules/create-rule";
import { authorize } from "@/server/testing/builders";
import { codingHttp } from "@/server/testing/coding-agents/coding-http";
import { ask, askCommand, useCodingStage } from "@/server/testing/coding-agents/coding-stage";
import { approverActor } from "@/server/testing/stage";
import { decideWithEdits } from "@/server/turns/answers/decide-with-edits";
import { evaluateCall } from "@/server/turns/decide/evaluate-call";
import { listSessions } from "./list-sessions";

const stage = useCodingStage();
const admin = () => authorize(stage.built.admin, "approvals:decide");

const rule = (context: object, more: object = {}) =>
  createRule(
    authorize(stage.built.admin, "guard:write"),
    GuardRuleDraft.parse({ name: "No tests", tool: "shell_execute", pattern: "^npm test", verdict: "deny", context, ...more }),
  );

describe("a rule about the machine of a client", () => {
  const told = { host: "laptop", user: "ada", repository: "git@github.com:Acme/Shop.git" };
  test.each([
    [{ repositories: ["https://github.com/acme/shop"] }, "deny"],
    [{ repositories: ["github.com/acme/*"] }, "deny"],
    [{ repositories: ["github.com/acme/docs"] }, "allow"],
    [{ clients: ["claude-code", "codex"] }, "deny"],
    [{ clients: ["codex"] }, "allow"],
    [{ machines: ["laptop"] }, "deny"],
    [{ machines: ["server"] }, "allow"],
    [{ users: ["ada"], repositories: ["github.com/acme/shop"] }, "deny"],
    [{ users: ["bob"], repositories: ["github.com/acme/shop"] }, "allow"],
  ])("with the context %j makes it %s", async (context, verdict) => {
    await rule(context);
    expect((await askCommand(stage, "npm test", told)).verdict).toBe(verdict);
  });

  test("counts in doubt: a repository that the client does not name may be the one, and none is none", async () => {
    await rule({ repositories: ["github.com/acme/shop"] });
    expect((await askCommand(stage, "npm test", { session: "unknown" })).verdict).toBe("deny");
    expect((await askCommand(stage, "npm test", { session: "none", repository: null })).verdict).toBe("allow");
  });

  test("keeps to the repository in which the session began", async () => {
    await rule({ repositories: ["github.com/acme/shop"] });
    await askCommand(stage, "ls", { repository: told.repository });
    const moved = await askCommand(stage, "npm test", { repository: "https://github.com/other/shop" });
    expect(moved.verdict).toBe("deny");
  });

  test("is tried out by naming the machine", async () => {
    await rule({ repositories: ["github.com/acme/shop"], clients: ["codex"] });
    const machine = { client: "codex", folder: "/home/ada/shop", home: "/home/ada", box: "none" as const };
    const evaluate = (more: object, command = "npm test") =>
      evaluateCall(authorize(stage.built.admin, "guard:read"), {
        tool: "shell_execute",
        arguments: { command },
        context: { machine: { ...machine, ...more } },
      });
    expect(await evaluate({ repository: "git@github.com:acme/shop.git" })).toMatchObject({ verdict: "deny" });
    expect(await evaluate({ repository: null })).toMatchObject({ verdict: "allow", sandboxed: false });
    expect(await evaluate({}, "cat /home/ada/other/notes.txt")).toMatchObject({ verdict: "require_approval" });
  });
});

describe("always for this repository", () => {
  const push = "git push origin main";
  const here = { repository: "git@github.com:acme/shop.git", host: "laptop", user: "ada" };

  test("is remembered on the card, holds in every session of the repository, and in no other", async () => {
    const call = await askCommand(stage, push, here);
    expect(call.verdict).toBe("pending");
    const card = await getApproval(authorize(stage.built.admin, "approvals:read"), String(call.approvalId));
    expect(card.machine).toEqual({
      ...{ client: "claude-code", folder: "/home/ada/shop", box: "none", host: "laptop", user: "ada" },
      repository: "github.com/acme/shop",
    });
    const remember = { scope: "repository" as const, match: "exact" as const, note: "" };
    await decideWithEdits(admin(), String(call.approvalId), { decision: "approve", comment: "", remember });
    const again = { ...here, session: "another", repository: "https://github.com/Acme/shop" };
    expect((await askCommand(stage, push, again)).verdict).toBe("allow");
    expect((await askCommand(stage, push, { ...here, session: "third", repository: "github.com/acme/docs" })).verdict).toBe("pending");
    expect((await askCommand(stage, push, { session: "fourth" })).verdict).toBe("pending");
  });

  test("takes an admin, one repository, and a call that was made in one", async () => {
    const remember = { scope: "repository" as const, match: "exact" as const, note: "" };
    const inOne = await askCommand(stage, push, here);
    await expect(
      decideWithEdits(approverActor(stage), String(inOne.approvalId), { decision: "approve", comment: "", remember }),
    ).rejects.toThrow("Only an admin of the workspace grants something to everybody who works in a repository.");
    const outside = await askCommand(stage, push, { session: "outside", repository: null });
    await expect(decideWithEdits(admin(), String(outside.approvalId), { decision: "approve", comment: "", remember })).rejects.toThrow(
      "This call was not made in a repository with a remote address.",
    );
    const draft = {
      scope: "repository" as const,
      tool: "shell_execute",
      match: { kind: "exact" as const, arguments: {} },
      maxSeverity: "low" as const,
    };
    await expect(createGrant(admin(), { ...draft, scopeId: "github.com/acme/*", note: "" })).rejects.toThrow("Name one repository");
    expect(await createGrant(admin(), { ...draft, scopeId: "git@github.com:Acme/Docs.git", note: "" })).toMatchObject({
      scopeId: "github.com/acme/docs",
      scopeName: "github.com/acme/docs",
    });
  });
});

const file = (...rules: string[]) => `rules:\n${rules.map((one) => `  - ${one}\n`).join("")}`;
const noTerraform = file(
  '{ name: No terraform, tool: shell_execute, pattern: "^make deploy", verdict: deny, reason: Only the pipeline deploys. }',
);

describe("the policy file of a repository", () => {
  test("denies and asks what the workspace allows, and says where that stands", async () => {
    const policy = file(
      '{ name: No deploy, tool: shell_execute, pattern: "^make deploy", verdict: deny, reason: Only the pipeline deploys. }',
      '{ name: Docs, tool: "does:writes_path", pattern: "^docs/", verdict: require_approval }',
    );
    expect(await askCommand(stage, "make deploy", { policy })).toMatchObject({
      verdict: "deny",
      reason: expect.stringContaining("Only the pipeline deploys. (.handrail.yaml of the repository)"),
    });
    expect((await askCommand(stage, "make test", { policy })).verdict).toBe("allow");
    const edit = { file_path: "/home/ada/shop/docs/a.md", old_string: "a", new_string: "b" };
    expect((await ask(stage, { tool: "Edit", input: edit, policy })).verdict).toBe("pending");
  });

  test("stays in force when a session stops sending it", async () => {
    await askCommand(stage, "ls", { policy: noTerraform });
    expect((await askCommand(stage, "make deploy")).verdict).toBe("deny");
  });

  test("never denies less than the workspace does, and a grant does not cover its denials", async () => {
    await rule({}, { pattern: "^make deploy", verdict: "deny", reason: "Frozen." });
    const asks = file('{ name: Ask, tool: shell_execute, pattern: "^make deploy", verdict: require_approval }');
    expect(await askCommand(stage, "make deploy", { policy: asks })).toMatchObject({ verdict: "deny" });
  });

  test.each([
    ["rules: [", "it is not valid YAML"],
    ["- a", "cannot be used"],
    [file("{ name: Free, tool: shell_execute, verdict: allow }"), 'the rule "Free" allows: rules of a repository can only ask'],
    [file('{ name: R, tool: shell_execute, pattern: "rm", verdict: deny, relaxes: [shell.pipe_to_shell] }'), "relaxes"],
    [file("{ name: A, tool: shell_execute, verdict: require_approval, approvers: { roles: [admin] } }"), "names approvers"],
    [file('{ name: P, tool: shell_execute, pattern: "(", verdict: deny }'), "cannot be used"],
  ])("that cannot be used (%j) asks about every change, with a sentence", async (policy, sentence) => {
    const call = await askCommand(stage, "touch a.txt", { policy });
    expect(call.verdict).toBe("pending");
    expect(call.reason).toContain(".handrail.yaml of the repository cannot be used");
    expect(call.reason).toContain(sentence);
    expect((await askCommand(stage, "cat README.md", { policy })).verdict).toBe("allow");
    const [session] = (await listSessions(authorize(stage.built.admin, "turns:read"), {})).items;
    expect(session?.policy?.mistake).toContain(sentence);
    expect(session?.problems.join(" ")).toContain(sentence);
  });

  test("is changed only with a person's approval", async () => {
    const written = { file_path: "/home/ada/shop/.handrail.yaml", content: "rules: []" };
    expect(await ask(stage, { tool: "Write", input: written })).toMatchObject({
      verdict: "pending",
      reason: "The call changes .handrail.yaml, which makes the guard stricter in this repository.",
    });
    expect((await askCommand(stage, "sed -i s/deny/allow/ .handrail.yaml")).verdict).toBe("pending");
    expect((await askCommand(stage, "rm .handrail.yaml")).verdict).toBe("pending");
    expect((await askCommand(stage, "cat .handrail.yaml")).verdict).toBe("allow");
  });

  test("is asked for by its digest before a hook's call is decided", async () => {
    const { origin, key, hook } = await codingHttp(stage);
    const body = {
      ...{ hook_event_name: "PreToolUse", session_id: "s", cwd: "/home/ada/shop", tool_use_id: "t" },
      ...{ tool_name: "Bash", tool_input: { command: "make deploy" } },
    };
    const query = `?policy=${sha256(noTerraform)}`;
    const first = await hook("claude-code", body, query);
    expect([first.status, await first.json()]).toEqual([428, {}]);
    const kept = await fetch(`${origin}/api/v1/repository-policies`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ text: noTerraform }),
    });
    expect(await kept.json()).toEqual({ digest: sha256(noTerraform), rules: 1, mistake: null });
    const second = await hook("claude-code", body, query);
    expect(await second.json()).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  });
});
