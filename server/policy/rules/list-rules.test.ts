import { beforeEach, expect, test } from "vitest";
import type { GuardRuleDraft } from "@/contracts/guard/guard";
import { idAt } from "@/server/platform/id-at";
import { newId } from "@/server/platform/ids";
import { type BuiltWorkspace, buildWorkspace } from "@/server/testing/builders";
import { authorizePolicy, draftRule, type PolicyAdmin, recordCalls } from "@/server/testing/guard/policy-stage";
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
let admin: PolicyAdmin;

beforeEach(async () => {
  built = await buildWorkspace();
  await buildRecordedTools(built.workspace.id);
  admin = authorizePolicy(built.admin);
});

const draft = (content: Partial<GuardRuleDraft>) => draftRule({ name: "Rule", tool: "write_file", ...content });
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
  await recordDecided(built, { ruleId: rule.id, days: 0, count: 3 });
  await recordDecided(built, { ruleId: rule.id, days: 29, count: 2 });
  await recordDecided(built, { ruleId: rule.id, days: 31, count: 5 });
  await recordDecided(built, { ruleId: null, days: 1, count: 4 });
  await recordDecided(stranger, { ruleId: rule.id, days: 1, count: 6 });
  const { items } = await listRules(admin);
  expect(items.map(({ id, hits30Days }) => [id, hits30Days])).toEqual([
    [rule.id, 5],
    [other.id, 0],
  ]);
  await recordDecided(built, { ruleId: other.id, days: 0, count: 1 });
  expect((await countRuleHits(built.workspace.id)).get(other.id)).toBe(1);
});

function recordDecided({ agentKey }: BuiltWorkspace, { ruleId, days, count }: { ruleId: string | null; days: number; count: number }) {
  const at = Date.now() - days * 86_400_000;
  const call = () => ({
    id: `${idAt(at, "0").slice(0, 15)}${newId().slice(15)}`,
    name: "write_file",
    arguments: {},
    ruleId,
    finishedAt: new Date(at),
  });
  return recordCalls(agentKey, Array.from({ length: count }, call));
}
