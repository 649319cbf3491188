import { beforeEach, expect, test } from "vitest";
import type { GuardRuleDraft } from "@/contracts/guard/guard";
import { toolCalls, turns } from "@/db/schema";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { idAt } from "@/server/platform/id-at";
import { newId } from "@/server/platform/ids";
import { authorize, type BuiltWorkspace, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { buildRecordedTools } from "@/server/testing/recorded-tools";
import { useTestDatabase } from "@/server/testing/test-database";
import { previewRule } from "../simulation/preview-rule";
import { createRule } from "./create-rule";
import { getRule } from "./get-rule";
import { updateConfig } from "./guard-config";
import { listRules } from "./list-rules";
import { orderRules } from "./order-rules";
import { countRuleHits } from "./rule-hits";
import { updateRule } from "./update-rule";

useTestDatabase();

let built: BuiltWorkspace;
let admin: Authorized<"guard:write"> & Authorized<"guard:read">;

beforeEach(async () => {
  built = await buildWorkspace();
  await buildRecordedTools(built.workspace.id);
  admin = authorize(authorize(built.admin, "guard:read"), "guard:write") as typeof admin;
});

const nothing = {
  parameter: null,
  pattern: null,
  excludePattern: null,
  comparisons: [],
  context: null,
  enabled: true,
  reason: "",
  expiresAt: null,
  relaxes: [],
  approvers: null,
};
const draft = (content: Partial<GuardRuleDraft>): GuardRuleDraft => ({
  name: "Rule",
  tool: "write_file",
  verdict: "deny",
  priority: 100,
  ...nothing,
  ...content,
});
const becauseOf = async () =>
  (await listRules(admin)).items.map(({ name, neverReachedBecauseOf }) => [name, neverReachedBecauseOf?.name ?? null]);

test("the list says which earlier rule decides every call of a rule, until the order changes", async () => {
  const ask = await createRule(admin, draft({ name: "Ask before writing", verdict: "require_approval", priority: 30 }));
  const finance = await createRule(admin, draft({ name: "No finance", pattern: "^finance/", priority: 20 }));
  expect(await becauseOf()).toEqual([
    ["Ask before writing", null],
    ["No finance", "Ask before writing"],
  ]);
  expect((await getRule(admin, finance.id)).neverReachedBecauseOf).toEqual({ ruleId: ask.id, name: "Ask before writing" });

  const { items } = await orderRules(admin, [finance.id, ask.id]);
  expect(items.map(({ neverReachedBecauseOf }) => neverReachedBecauseOf)).toEqual([null, null]);
  expect(await becauseOf()).toEqual([
    ["No finance", null],
    ["Ask before writing", null],
  ]);
});

test("a rule behind one that is switched off, and one of a denied tool, are told apart", async () => {
  const ask = await createRule(admin, draft({ name: "Ask", tool: "*", priority: 30, enabled: false }));
  await createRule(admin, draft({ name: "Deny", priority: 20 }));
  expect(await becauseOf()).toEqual([
    ["Ask", null],
    ["Deny", null],
  ]);
  await updateRule(admin, ask.id, draft({ name: "Ask", tool: "*", priority: 30 }), null);
  expect((await becauseOf()).at(1)).toEqual(["Deny", "Ask"]);
  await updateConfig(admin, { deniedTools: ["write_*"] }, null);
  expect(await becauseOf()).toEqual([
    ["Ask", null],
    ["Deny", "write_*"],
  ]);
});

test("a draft is told before it is saved, at the priority that it would have", async () => {
  const ask = await createRule(admin, draft({ name: "Ask", verdict: "require_approval", priority: 30 }));
  const preview = async (content: Partial<GuardRuleDraft>, id: string | null = null) =>
    (await previewRule(admin, { rule: draft({ pattern: "^finance/", ...content }), id, last: 1 })).neverReachedBecauseOf;
  expect(await preview({ priority: 30 })).toEqual({ ruleId: ask.id, name: "Ask" });
  expect(await preview({ priority: 31 })).toBeNull();
  expect(await preview({ priority: 20 }, ask.id)).toBeNull();
});

test("each rule counts the calls of its workspace that it decided in the last 30 days", async () => {
  const rule = await createRule(admin, draft({ verdict: "allow" }));
  const other = await createRule(admin, draft({ name: "Unused", priority: 1 }));
  const stranger = await buildWorkspace();
  await recordCalls(built, { ruleId: rule.id, days: 0, count: 3 });
  await recordCalls(built, { ruleId: rule.id, days: 29, count: 2 });
  await recordCalls(built, { ruleId: rule.id, days: 31, count: 5 });
  await recordCalls(built, { ruleId: null, days: 1, count: 4 });
  await recordCalls(stranger, { ruleId: rule.id, days: 1, count: 6 });
  const { items } = await listRules(admin);
  expect(items.map(({ id, hits30Days }) => [id, hits30Days])).toEqual([
    [rule.id, 5],
    [other.id, 0],
  ]);
  await recordCalls(built, { ruleId: other.id, days: 0, count: 1 });
  expect((await countRuleHits(built.workspace.id)).get(other.id)).toBe(1);
});

async function recordCalls({ agentKey }: BuiltWorkspace, { ruleId, days, count }: { ruleId: string | null; days: number; count: number }) {
  const conversation = await buildConversation(agentKey);
  const claimedBy = newId();
  const turn = {
    workspaceId: agentKey.workspaceId,
    conversationId: conversation.id,
    requestDigest: "",
    requestedBy: toActorRef(agentKey),
    claimedBy,
  };
  const [row] = await db().insert(turns).values(turn).returning();
  if (!row) throw new Error("The turn was not inserted");
  const at = Date.now() - days * 86_400_000;
  const decision = { verdict: "allow", reason: "", ruleId, ruleDigest: null, findings: [], trace: [], policyVersion: 1 } as const;
  const calls = Array.from({ length: count }, (_, position) => ({
    id: `${idAt(at, "0").slice(0, 15)}${newId().slice(15)}`,
    workspaceId: agentKey.workspaceId,
    turnId: row.id,
    position,
    runtimeId: `call-${position}`,
    requestedName: "write_file",
    name: "write_file",
    arguments: {},
    status: "succeeded" as const,
    decision: { ...decision, findings: [], trace: [] },
    finishedAt: new Date(at),
  }));
  await db().insert(toolCalls).values(calls);
}
