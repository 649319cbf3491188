import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { DelegateDraft } from "@/contracts/agents/delegate";
import { approvals, tools } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { requirePermission } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { useAgents } from "@/server/testing/models/agents-at-work";
import { calling, saying, useRunStage } from "@/server/testing/models/run-stage";
import { approverActor, neverAborted, submitCalls } from "@/server/testing/stage";
import { waitForTurn } from "@/server/turns/read/wait-for-turn";
import { setDelegate } from "./set-delegate";

const stage = useRunStage();

test("core_execute hands its task to an agent of the workspace, which alone may call tools on the escalate surface", async () => {
  const { ids } = await useAgents(stage, {
    default: () => saying(""),
    payer: ({ place, last }) => (place === 0 ? calling(["change", { text: "pay" }]) : saying(`Paid: ${last}`)),
  });
  await db().update(tools).set({ surfaceOverride: "escalate" }).where(eq(tools.name, "change"));
  const draft = DelegateDraft.parse({ agentId: ids.payer });
  const set = await setDelegate(requirePermission(stage.built.admin, "tools:write"), draft, null);
  expect(set).toMatchObject({ connected: true, url: null, agentId: ids.payer, hasSecret: false });
  const direct = await submitCalls(stage, [["change", { text: "direct" }]]);
  expect(direct.calls[0]?.content).toContain("cannot be called directly; use core_execute");
  const decide = async () => {
    const row = await vi.waitFor(async () => {
      const [found] = await db().select().from(approvals).where(eq(approvals.status, "pending"));
      if (!found) throw new Error("nobody was asked yet");
      return found;
    });
    await decideApproval(approverActor(stage), row.id, { decision: "approve", comment: "" });
    return row;
  };
  const turn = await submitCalls(stage, [["core_execute", { intent: "pay 5 EUR" }]]);
  expect(turn.status).toBe("suspended");
  expect((await decide()).toolName).toBe("core_execute");
  const inner = await decide();
  expect(inner).toMatchObject({ toolName: "change", agent: "payer", delegators: [{ agent: "default" }] });
  const done = await waitForTurn(turn.id, 8, neverAborted);
  expect(done.calls[0]).toMatchObject({ status: "succeeded", content: "Paid: tool: changed pay" });
  expect(stage.log).toEqual(["change pay"]);
});

test("an agent of another workspace cannot carry the tasks out, and a pipeline and an agent are not both set", async () => {
  const admin = requirePermission(stage.built.admin, "tools:write");
  const unknown = DelegateDraft.parse({ agentId: "0190f7a4-0000-7000-8000-000000000001" });
  await expect(setDelegate(admin, unknown, null)).rejects.toMatchObject({ code: "invalid", details: { errors: [{ path: "agentId" }] } });
  expect(DelegateDraft.safeParse({ url: "https://p.example.com", agentId: unknown.agentId }).success).toBe(false);
  expect(DelegateDraft.safeParse({}).success).toBe(false);
});
