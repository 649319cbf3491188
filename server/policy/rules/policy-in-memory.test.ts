import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { grants, guardConfig, guardRules, workspaces } from "@/db/schema";
import { toActorRef } from "@/server/auth/actor";
import { decide } from "@/server/guard/decide";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, type BuiltWorkspace, buildWorkspace } from "@/server/testing/builders";
import { buildRequest, readTool } from "@/server/testing/guard/guarded-calls";
import { draftRule } from "@/server/testing/guard/policy-stage";
import { useTestDatabase } from "@/server/testing/test-database";
import { loadPolicy, policyChanged } from "../policy";
import { createRule } from "./create-rule";

useTestDatabase();

let built: BuiltWorkspace;
let workspaceId: string;

beforeEach(async () => {
  built = await buildWorkspace();
  workspaceId = built.workspace.id;
  await createRule(authorize(built.admin, "guard:write"), draftRule());
});
afterEach(() => {
  vi.useRealTimers();
});

type Writer = Pick<ReturnType<typeof db>, "update">;

/** Saves as another replica would: the rows change, and no signal has arrived yet. */
async function saveElsewhere(tx: Writer): Promise<void> {
  await tx.update(guardRules).set({ verdict: "allow" }).where(eq(guardRules.workspaceId, workspaceId));
  await tx
    .update(guardConfig)
    .set({ policyVersion: sql`${guardConfig.policyVersion} + 1` })
    .where(eq(guardConfig.workspaceId, workspaceId));
  await countUp(tx);
}

async function countUp(tx: Writer): Promise<void> {
  await tx
    .update(workspaces)
    .set({ configVersion: sql`${workspaces.configVersion} + 1` })
    .where(eq(workspaces.id, workspaceId));
}

const verdicts = ({ rules }: Awaited<ReturnType<typeof loadPolicy>>) => rules.map(({ verdict }) => verdict);

test("a change whose signal was lost holds after ten seconds", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await loadPolicy(workspaceId);
  // After ten seconds the policy is checked and found unchanged, which starts the next ten seconds.
  vi.setSystemTime(Date.now() + 10_000);
  expect(verdicts(await loadPolicy(workspaceId))).toEqual(["deny"]);
  await saveElsewhere(db());
  vi.setSystemTime(Date.now() + 9_999);
  expect(verdicts(await loadPolicy(workspaceId))).toEqual(["deny"]);
  vi.setSystemTime(Date.now() + 1);
  expect(verdicts(await loadPolicy(workspaceId))).toEqual(["allow"]);
});

test("a reader of a configuration's version gets the policy of that version, however long ago it was read", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await loadPolicy(workspaceId);
  const [{ seen } = { seen: 0 }] = await db()
    .select({ seen: workspaces.configVersion })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  await saveElsewhere(db());
  vi.setSystemTime(Date.now() + 3_600_000);
  expect(verdicts(await loadPolicy(workspaceId, seen))).toEqual(["deny"]);
  expect(verdicts(await loadPolicy(workspaceId, seen + 1))).toEqual(["allow"]);
});

test("a policy that was being read while somebody saved is all of one moment, and serves no later call", async () => {
  let reading: ReturnType<typeof loadPolicy> | undefined;
  await db().transaction(async (tx) => {
    await tx.execute(sql`lock table guard_rules in access exclusive mode`);
    reading = loadPolicy(workspaceId);
    await vi.waitFor(
      async () => {
        const waiting = sql`select 1 from pg_locks where not granted and relation = 'guard_rules'::regclass and database = (select oid from pg_database where datname = current_database())`;
        expect(await tx.execute(waiting)).toHaveLength(1);
      },
      { interval: 5 },
    );
    await saveElsewhere(tx);
    policyChanged(workspaceId);
  });
  expect(await reading).toMatchObject({ version: 2, rules: [{ verdict: "deny" }] });
  expect(await loadPolicy(workspaceId)).toMatchObject({ version: 3, rules: [{ verdict: "allow" }] });
});

test("a grant holds for the next call until it ends, and costs no reading of the rules", async () => {
  await db().update(guardRules).set({ verdict: "require_approval" }).where(eq(guardRules.workspaceId, workspaceId));
  const before = await loadPolicy(workspaceId);
  const verdictOf = ({ decided = before, path = "a", later = 0 }) =>
    decide(decided, buildRequest(readTool, { path }), Date.now() + later).verdict;
  expect(verdictOf({})).toBe("require_approval");
  const grantOf = (path: string, expiresAt: Date | null) => ({
    workspaceId,
    kind: "until" as const,
    scope: "workspace" as const,
    tool: "read_file",
    match: { kind: "exact" as const, arguments: { path } },
    maxSeverity: "high" as const,
    grantedBy: toActorRef(built.admin),
    expiresAt,
  });
  await db()
    .insert(grants)
    .values([grantOf("a", null), grantOf("b", new Date(Date.now() + 60_000)), grantOf("c", new Date(Date.now() - 1))]);
  await db()
    .update(guardConfig)
    .set({ grantsVersion: sql`${guardConfig.grantsVersion} + 1` })
    .where(eq(guardConfig.workspaceId, workspaceId));
  policyChanged(workspaceId);
  const after = await loadPolicy(workspaceId);
  const [a, b, c] = ["a", "b", "c"].map((path) => verdictOf({ decided: after, path }));
  expect({ a, b, c }).toEqual({ a: "allow", b: "allow", c: "require_approval" });
  const [stillA, stillB] = ["a", "b"].map((path) => verdictOf({ decided: after, path, later: 60_000 }));
  expect({ stillA, stillB }).toEqual({ stillA: "allow", stillB: "require_approval" });
  expect(after.rules).toBe(before.rules);
  expect(await loadPolicy(workspaceId)).toBe(after);
});

test("there is no policy of a workspace that does not exist", async () => {
  await expect(loadPolicy(newId())).rejects.toThrow("this workspace has no policy");
});
