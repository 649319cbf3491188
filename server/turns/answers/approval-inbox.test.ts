import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { approvals } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { listApprovals } from "@/server/approvals/list-approvals";
import { listGroups } from "@/server/approvals/list-groups";
import { listInbox } from "@/server/approvals/list-inbox";
import { db } from "@/server/platform/database/database";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { approverActor, onlyApproval, submitCalls, useStage } from "@/server/testing/stage";

const stage = useStage();
const reader = () => authorize(stage.built.approver, "approvals:read");

/** Inserts so many copies of a pending approval that listing them has to be fast. */
async function copies(approvalId: string, count: number): Promise<void> {
  await db().execute(sql`
    with calls as (
      insert into tool_calls (id, workspace_id, turn_id, position, runtime_id, requested_name, name, arguments, status, approval_id)
      select gen_random_uuid(), c.workspace_id, c.turn_id, 100 + n, 'copy' || n, c.requested_name, c.name, c.arguments, 'awaiting_approval', gen_random_uuid()
      from tool_calls as c join approvals as a on a.call_id = c.id, generate_series(1, ${count}) as n where a.id = ${approvalId} returning id, position, approval_id)
    insert into approvals (id, workspace_id, conversation_id, turn_id, call_id, agent, tool_name, tool_title, tool_source, tool_effect, arguments,
      arguments_digest, decision, requested_by, expires_at, summary, shape, risk, rule_id, rule_name)
    select calls.approval_id, a.workspace_id, a.conversation_id, a.turn_id, calls.id, a.agent, a.tool_name, a.tool_title, a.tool_source, a.tool_effect,
      a.arguments, a.arguments_digest, a.decision || jsonb_build_object('reason', repeat('why ', 600)), a.requested_by, a.expires_at + make_interval(secs => calls.position), 'copy ' || calls.position,
      'shape ' || calls.position % 7, 'high', 'rule', 'The rule' from approvals as a, calls where a.id = ${approvalId}`);
  await db().execute(sql`vacuum analyze approvals`);
}

describe("the inbox", () => {
  test("a line says what is asked, how risky it is, and whether its reader may decide it", async () => {
    const asked = await submitCalls(stage, [["change", { text: "password=hunter2hunter2" }]]);
    const { id } = await onlyApproval(asked.id);
    const { items, total } = await listInbox(reader(), { status: "pending" });
    expect(total).toBe(1);
    expect(approvalEndpoints.inbox.response.parse({ items, nextCursor: null }).items).toEqual(items);
    expect(items).toMatchObject([
      { id, kind: "call", shape: "change", risk: "high", rule: null, mayDecide: { isAllowed: true, reason: null } },
    ]);
    expect(items[0]?.summary).not.toContain("hunter2hunter2");
    const seen = await listInbox(authorize(stage.built.viewer, "approvals:read"), {});
    expect(seen.items[0]?.mayDecide).toEqual({ isAllowed: false, reason: expect.stringContaining("Ask an approver") });
    expect((await listInbox(authorize(stage.built.viewer, "approvals:read"), { mine: true })).total).toBe(0);
    expect((await listInbox(reader(), { mine: true })).total).toBe(1);
  });

  test("answers changed lines alone when they are named, and counts all", async () => {
    const ids: string[] = [];
    for (const text of ["a", "b", "c"]) ids.push((await onlyApproval((await submitCalls(stage, [["change", { text }]])).id)).id);
    const [first = "", second = "", third = ""] = ids;
    await decideApproval(approverActor(stage), third, { decision: "reject", comment: "" });
    const changed = await listInbox(reader(), { status: "pending", only: `${second},${third}` });
    expect(changed).toMatchObject({ items: [{ id: second }], total: 2, nextCursor: null });
    const { query } = approvalEndpoints.inbox;
    expect(query.safeParse({ only: `${first},${second}` }).success).toBe(true);
    for (const only of ["", "all", `${first},`, Array.from({ length: 51 }, () => first).join(",")]) {
      expect(query.safeParse({ only }).success, only).toBe(false);
    }
    await decideApproval(approverActor(stage), first, { decision: "reject", comment: "" });
    await decideApproval(approverActor(stage), second, { decision: "reject", comment: "" });
  });

  test("filters by everything that a line shows, and a search is no pattern", async () => {
    const asked = await submitCalls(stage, [["change", { text: "Ship 100% of it" }]]);
    const { id } = await onlyApproval(asked.id);
    const covers = async (filter: Parameters<typeof listInbox>[1]) => (await listInbox(reader(), filter)).total === 1;
    expect(await covers({ query: "SHIP 100%" })).toBe(true);
    expect(await covers({ query: "change ship" })).toBe(true);
    expect(await covers({ query: "sh%p" })).toBe(false);
    expect(await covers({ risk: "low", kind: "call", shape: "change", ruleId: "none", tool: "change" })).toBe(true);
    expect(await covers({ risk: "high" })).toBe(false);
    expect(await covers({ kind: "question" })).toBe(false);
    expect(await covers({ ruleId: "other" })).toBe(false);
    expect(await covers({ from: "2000-01-01T00:00:00Z", to: "2001-01-01T00:00:00Z" })).toBe(false);
    await decideApproval(approverActor(stage), id, { decision: "reject", comment: "" });
    expect(await covers({ decidedBy: stage.built.approver.id, status: "rejected" })).toBe(true);
    expect(await covers({ decidedBy: stage.built.admin.id })).toBe(false);
    expect((await listInbox(authorize((await buildWorkspace()).admin, "approvals:read"), {})).total).toBe(0);
  });

  test("pages through 2,000 in the order of their expiry, each once, and in either order of time", async () => {
    const { id } = await onlyApproval((await submitCalls(stage, [["change"]])).id);
    await copies(id, 2_000);
    for (const list of [listInbox, listApprovals]) {
      for (const sort of ["expires", "newest"] as const) {
        const seen: { id: string; expiresAt: string }[] = [];
        for (let cursor: string | undefined; ; ) {
          const page = await list(reader(), { status: "pending", limit: 200, sort, ...(cursor ? { cursor } : {}) });
          expect(page.total).toBe(2_001);
          seen.push(...page.items);
          if (!page.nextCursor) break;
          cursor = page.nextCursor;
        }
        expect(new Set(seen.map(({ id }) => id)).size).toBe(2_001);
        const keys = seen.map((row) => (sort === "expires" ? row.expiresAt : row.id));
        expect(keys).toEqual(sort === "expires" ? keys.toSorted() : keys.toSorted().reverse());
      }
    }
    await expect(listInbox(reader(), { cursor: "nonsense" })).rejects.toMatchObject({ code: "invalid" });
  });

  test("the next to expire are found by an index, however many wait", async () => {
    const { id } = await onlyApproval((await submitCalls(stage, [["change"]])).id);
    await copies(id, 5_000);
    const { workspaceId } = await onlyApproval((await db().select().from(approvals).where(eq(approvals.id, id)))[0]?.turnId ?? "");
    const plan = async (query: string) => {
      // Without this setting Postgres scans the table, because similar copies fill only a few pages.
      const rows = await db().transaction(async (tx) => {
        await tx.execute(sql`set local enable_seqscan = off`);
        return tx.execute<{ "QUERY PLAN": string }>(sql.raw(`explain ${query}`));
      });
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    };
    const waiting = `from approvals where workspace_id = '${workspaceId}' and status = 'pending'`;
    const next = await plan(`select id ${waiting} order by expires_at, id limit 51`);
    expect(next).toMatch(/Index.* Scan using approvals_(workspace_id_status_expires_at_id_index|next_expiry)/);
    expect(next.replaceAll("Incremental Sort", "")).not.toMatch(/\bSort\b *\(/);
  });

  test("groups count by rule, tool and shape, the largest first, with their worst risk", async () => {
    const { id } = await onlyApproval((await submitCalls(stage, [["change"]])).id);
    await copies(id, 20);
    const { groups, total } = await listGroups(reader(), { status: "pending" });
    expect(total).toBe(21);
    expect(groups).toHaveLength(8);
    expect(groups[0]).toMatchObject({ ruleId: "rule", ruleName: "The rule", tool: "change", kind: "call", count: 3, worstRisk: "high" });
    expect(groups.at(-1)).toMatchObject({ ruleId: null, shape: "change", count: 1, worstRisk: "low" });
    const one = groups[0];
    const inGroup = await listInbox(reader(), { status: "pending", ruleId: "rule", shape: one?.shape ?? "", tool: "change" });
    expect(inGroup.total).toBe(one?.count);
  });
});
