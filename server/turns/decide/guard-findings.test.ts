import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { approvals, auditEvents, jobs, toolCalls, turnEvents, turns } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { getApproval } from "@/server/approvals/get-approval";
import { type Authorized, requirePermission } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { getConfig, updateConfig } from "@/server/policy/rules/guard-config";
import { listDetectors, updateDetector } from "@/server/policy/rules/list-detectors";
import { listVersions } from "@/server/policy/versions/list-versions";
import { restoreVersion } from "@/server/policy/versions/restore-version";
import { authorize } from "@/server/testing/builders";
import { approverActor, listAuditEvents, onlyApproval, statuses, submitCalls, useStage } from "@/server/testing/stage";
import { listConversationTools } from "@/server/tools/list-conversation-tools";

const stage = useStage();
const admin = () =>
  authorize(authorize(stage.built.admin, "guard:read"), "guard:write") as Authorized<"guard:write"> & Authorized<"guard:read">;

/** Put together here, so that nothing that looks like a secret stands in the repository. */
const secrets = [
  `AKIA${"IOSFODNN7EXAMPLQ"}`,
  `ghp_${"a1B2c3D4e5F6".repeat(3)}`,
  `github_pat_${"a1B2c3D4e5F6".repeat(3)}`,
  `xoxb-${"123456789012-abcdefghij"}`,
  `sk_live_${"4eC39HqLyjWDarjtT1zdp7dc"}`,
  `AIza${"SyA-1234567890abcdefghijklmnopqrstu"}`,
  `sk-ant-api03-${"abcdefghijklmnop1234567890"}`,
  `eyJ${"hbGciOiJIUzI1NiJ9"}.eyJ${"zdWIiOiIxMjM0In0"}.${"dozjgNryP4J3jVmNHl0w5N"}`,
  `qX7vR2mK9pL4wZ8nB3tY6cF1`,
];
const inWords = (secret: string) => `deploy with KEY=${secret} and then "${secret}" again, ${"x ".repeat(40)}TOKEN: '${secret}'`;

describe("a secret among the arguments of a call", () => {
  test("stands unmasked in no decision, audit row, approval, event or answer", async () => {
    const written: string[] = [];
    const output = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    for (const secret of secrets) {
      const turn = await submitCalls(stage, [["look", { text: inWords(secret) }]]);
      expect(turn.status, secret).toBe("suspended");
      expect(turn.calls[0]?.decision?.findings.map(({ detector }) => detector.split(".")[0])).toContain("credential");
      const approval = await onlyApproval(turn.id);
      const shown = await getApproval(requirePermission(stage.built.approver, "approvals:read"), approval.id);
      const rows = {
        turn,
        shown,
        decision: approval.decision,
        turns: await db().select().from(turns).where(eq(turns.id, turn.id)),
        events: await db().select().from(turnEvents).where(eq(turnEvents.turnId, turn.id)),
        audit: await db().select().from(auditEvents).where(eq(auditEvents.workspaceId, stage.built.workspace.id)),
        decisions: await db().select({ decision: toolCalls.decision }).from(toolCalls).where(eq(toolCalls.turnId, turn.id)),
        jobs: await db().select().from(jobs),
      };
      for (const [where, row] of Object.entries(rows)) expect(JSON.stringify(row), `${where}: ${secret}`).not.toContain(secret);
    }
    output.mockRestore();
    for (const secret of secrets) expect(written.join("")).not.toContain(secret);
  });

  test("is denied, and audited, when it is a private key", async () => {
    const key = `-----BEGIN ${"PRIVATE KEY"}-----\nMIIEpAIBAAKCAQEA7x9k\n-----END ${"PRIVATE KEY"}-----`;
    const turn = await submitCalls(stage, [["look", { text: key }]]);
    expect(statuses(turn)).toEqual(["denied"]);
    expect(await listAuditEvents(turn.id)).toEqual(["call.denied"]);
    expect(JSON.stringify(await db().select().from(auditEvents))).not.toContain("MIIEpAIBAAKCAQEA7x9k");
    expect(stage.log).toEqual([]);
  });
});

describe("a denied tool", () => {
  test("is not offered, not run whatever rules allow, and its refusal is audited", async () => {
    const names = async () =>
      JSON.stringify(await listConversationTools(requirePermission(stage.built.agentKey, "tools:read"), stage.conversationId, "openai"));
    expect(await names()).toContain('"look"');
    await updateConfig(admin(), { deniedTools: ["look"], enabled: false }, null);
    expect(await names()).not.toContain('"look"');
    const turn = await submitCalls(stage, [
      ["look", { text: "a" }],
      ["look", { wrong: true }],
    ]);
    expect(statuses(turn)).toEqual(["denied", "denied"]);
    expect(turn.calls[0]?.decision).toMatchObject({ verdict: "deny", reason: "look is on the list of denied tools." });
    expect(turn.calls[0]?.content).toContain("denied tools");
    expect(await listAuditEvents(turn.id)).toEqual(["call.denied", "call.denied"]);
    expect(stage.log).toEqual([]);
  });

  test("is denied although a person approved the call before it was listed", async () => {
    await updateConfig(admin(), { defaultPolicy: "require_approval" }, null);
    const turn = await submitCalls(stage, [["look", { text: "a" }]], { wait: 0 });
    await onlyApproval(turn.id);
    await updateConfig(admin(), { deniedTools: ["loo*"] }, null);
    const again = await submitCalls(stage, [["look", { text: "b" }]]);
    expect(again.calls[0]?.content).toContain("loo*");
  });
});

describe("settings of detectors", () => {
  test("a detector is relaxed, made stricter and switched off by its id, each a version with an audit row", async () => {
    const call = () => submitCalls(stage, [["look", { text: "\u202Eabc" }]]);
    expect(statuses(await call())).toEqual(["awaiting_approval"]);
    const { policyVersion } = await getConfig(admin());
    const relaxed = await updateDetector(admin(), "text.hidden", { enabled: true, verdict: "allow" }, policyVersion);
    expect(relaxed).toMatchObject({
      policyVersion: policyVersion + 1,
      detector: { id: "text.hidden", verdict: "allow", ownVerdict: "require_approval" },
    });
    const [passed] = (await call()).calls;
    expect(passed).toMatchObject({
      status: "succeeded",
      decision: { verdict: "allow", findings: [{ detector: "text.hidden", verdict: "allow" }] },
    });
    await updateDetector(admin(), "text.hidden", { enabled: true, verdict: "deny" }, null);
    expect(statuses(await call())).toEqual(["denied"]);
    await updateDetector(admin(), "text.hidden", { enabled: false }, null);
    expect((await call()).calls[0]).toMatchObject({ status: "succeeded", decision: { findings: [] } });
    await updateDetector(admin(), "text.hidden", { enabled: true }, null);
    expect((await getConfig(admin())).detectors).toEqual({});
    const { items } = await listVersions(admin());
    expect(items.slice(0, 4).map(({ summary }) => summary)).toEqual([
      "Set detectors: text.hidden as it comes",
      "Set detectors: text.hidden off",
      "Set detectors: text.hidden gives deny",
      "Set detectors: text.hidden gives allow",
    ]);
    const audit = await db().select().from(auditEvents).where(eq(auditEvents.workspaceId, stage.built.workspace.id));
    expect(audit.filter(({ event }) => event === "guard_config.updated")).toHaveLength(4);
  });

  test("one that may not be relaxed can be made no milder, an unknown one does not exist, and an old version is refused", async () => {
    await expect(updateDetector(admin(), "mcp.prototype", { enabled: false }, null)).rejects.toMatchObject({ code: "invalid" });
    await expect(updateDetector(admin(), "mcp.prototype", { enabled: true, verdict: "allow" }, null)).rejects.toMatchObject({
      code: "invalid",
    });
    await expect(updateDetector(admin(), "no.such", { enabled: true }, null)).rejects.toMatchObject({ code: "not_found" });
    await expect(updateConfig(admin(), { detectors: { "no.such": { enabled: true } } }, null)).rejects.toMatchObject({ code: "invalid" });
    await expect(updateConfig(admin(), { deniedTools: ["kind:of"] }, null)).rejects.toMatchObject({ code: "invalid" });
    const { policyVersion } = await getConfig(admin());
    await expect(updateDetector(admin(), "text.hidden", { enabled: false }, policyVersion - 1)).rejects.toMatchObject({
      code: "stale_version",
    });
    expect((await listDetectors(admin())).items.every(({ enabled }) => enabled)).toBe(true);
  });

  test("the hard floor is listed first as what is always denied, and nothing about it can be set", async () => {
    const { items, policyVersion } = await listDetectors(admin());
    const floor = items.filter((item) => item.floor);
    expect(items.slice(0, floor.length)).toEqual(floor);
    expect(floor.map(({ id }) => id)).toContain("floor.recursive_delete");
    expect(floor.every(({ verdict, enabled, relaxable }) => verdict === "deny" && enabled && !relaxable)).toBe(true);
    await expect(updateDetector(admin(), "floor.power", { enabled: false }, policyVersion)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("hard floor"),
    });
  });

  test("restoring a version restores detectors, denied tools and sensitive paths, also those from before there were any", async () => {
    const before = await getConfig(admin());
    const settings = { detectors: { "text.hidden": { enabled: false } }, deniedTools: ["look"], sensitivePaths: ["plans/**"] };
    const saved = await updateConfig(admin(), settings, before.policyVersion);
    expect(saved).toMatchObject(settings);
    expect(await restoreVersion(admin(), before.policyVersion)).toMatchObject({ detectors: {}, deniedTools: [], sensitivePaths: [] });
    expect(await restoreVersion(admin(), saved.policyVersion)).toMatchObject(settings);
  });

  test("an approval holds for what was found when it was given, and not for what is found since", async () => {
    const turn = await submitCalls(stage, [["look", { text: "./plans/\u202Ex" }]]);
    const asked = await onlyApproval(turn.id);
    await updateConfig(admin(), { sensitivePaths: ["plans/**"] }, null);
    await decideApproval(approverActor(stage), asked.id, { decision: "approve", comment: "" });
    const [before, after] = await vi.waitFor(async () => {
      const rows = await db().select().from(approvals).where(eq(approvals.turnId, turn.id)).orderBy(approvals.id);
      expect(rows).toHaveLength(2);
      return rows;
    });
    expect(before).toMatchObject({ status: "void", drift: [expect.stringContaining("file.sensitive")] });
    expect(after?.decision.findings.map(({ detector }) => detector)).toEqual(["file.sensitive", "text.hidden"]);
    // A new policy version with the same findings does not void the approval.
    await updateConfig(admin(), { deniedTools: ["other"] }, null);
    await decideApproval(approverActor(stage), after?.id ?? "", { decision: "approve", comment: "" });
    await vi.waitFor(() => expect(stage.log).not.toEqual([]));
  });
});
