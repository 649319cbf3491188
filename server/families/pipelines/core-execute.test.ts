import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { DelegateDraft } from "@/contracts/agents/delegate";
import { approvals, auditEvents, delegates } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { requirePermission } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { getConfig, updateConfig } from "@/server/policy/rules/guard-config";
import { restoreVersion } from "@/server/policy/versions/restore-version";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { allowByDefault } from "@/server/testing/guard/default-policy";
import { type PipelineServer, startPipeline } from "@/server/testing/services/pipeline-server";
import { approverActor, neverAborted, runtimeActor, statuses, submitCalls, useStage } from "@/server/testing/stage";
import { getTool } from "@/server/tools/admin/get-tool";
import { updateTool } from "@/server/tools/admin/update-tool";
import { listConversationTools } from "@/server/tools/list-conversation-tools";
import { cancelTurn } from "@/server/turns/cancel-turn";
import { waitForTurn } from "@/server/turns/read/wait-for-turn";
import { setDelegate } from "./set-delegate";

vi.hoisted(() => {
  process.env.HANDRAIL_DELEGATE_ALLOW_PRIVATE = "true";
});

const stage = useStage();
const admin = () => requirePermission(stage.built.admin, "tools:write");

beforeEach(async () => {
  const workspaceId = stage.built.workspace.id;
  await addBuiltinTools(workspaceId);
  await allowByDefault(workspaceId);
});

async function connect(draft: Partial<DelegateDraft> = {}): Promise<PipelineServer> {
  const pipeline = await startPipeline();
  await setDelegate(admin(), DelegateDraft.parse({ url: `${pipeline.url}/`, secret: "s3cret-of-the-pipeline", ...draft }), null);
  return pipeline;
}

const handOver = (intent = "pay 5 EUR to Ann") => submitCalls(stage, [["core_execute", { intent }]], { wait: 20 });
const pending = () =>
  vi.waitFor(async () => {
    const [approval] = await db().select().from(approvals).where(eq(approvals.status, "pending"));
    if (!approval) throw new Error("nobody was asked yet");
    return approval;
  });

test("with nothing connected it is listed with the reason, and a call of it says so in band", async () => {
  const tool = await getTool(requirePermission(stage.built.viewer, "tools:read"), "core_execute");
  expect(tool.availability).toEqual({ status: "unavailable", reason: expect.stringContaining("not connected") });
  const turn = await handOver();
  expect(turn.calls[0]).toMatchObject({ status: "failed", isError: true, content: expect.stringContaining("not connected") });
});

test("a task is handed over once, with the secret, and its answer is the call's result", async () => {
  const pipeline = await connect();
  pipeline.state = { status: "done", result: { answer: "Paid. Receipt 17." } };
  const turn = await handOver();
  expect(turn.calls[0]).toMatchObject({ status: "succeeded", content: "Paid. Receipt 17." });
  const submissions = pipeline.requests.filter(({ method }) => method === "POST");
  expect(submissions).toEqual([
    {
      method: "POST",
      path: "/messages/async",
      body: { prose: "pay 5 EUR to Ann" },
      authorization: "Bearer s3cret-of-the-pipeline",
      idempotencyKey: turn.calls[0]?.callId,
    },
  ]);
});

test("a gate of the pipeline becomes an approval, and what the person said goes back", async () => {
  const pipeline = await connect();
  pipeline.gates = [{ node_id: "n1", question: "Spend 5 EUR?", options: ["yes", "no"] }];
  pipeline.onAnswer = (_gate, answer) => {
    pipeline.state = { status: "completed", result: { answer: JSON.stringify(answer) } };
  };
  const turn = handOver();
  const approval = await pending();
  expect(approval).toMatchObject({
    toolName: "core_execute",
    arguments: { gate: "n1", question: "Spend 5 EUR?", options: ["yes", "no"], intent: "pay 5 EUR to Ann" },
    decision: { reason: "The secure pipeline asks: Spend 5 EUR?" },
  });
  await decideApproval(approverActor(stage), approval.id, { decision: "approve", comment: "from the petty cash" });
  expect((await turn).calls[0]).toMatchObject({ status: "succeeded", content: '{"approved":true,"answer":"from the petty cash"}' });
});

test("a gate that a person refuses is answered with a no, and the pipeline's failure is the result", async () => {
  const pipeline = await connect();
  pipeline.gates = [{ node_id: "n1", question: "Spend?" }];
  pipeline.onAnswer = (_gate, answer) => {
    pipeline.state = { status: "failed", error: `refused: ${JSON.stringify(answer)}` };
  };
  const turn = handOver();
  await decideApproval(approverActor(stage), (await pending()).id, { decision: "reject", comment: "too much" });
  expect((await turn).calls[0]).toMatchObject({
    status: "failed",
    content: 'The secure pipeline failed: refused: {"approved":false}',
  });
});

test("a cancelled turn takes its question back and tells the pipeline to stop", async () => {
  const pipeline = await connect();
  pipeline.gates = [{ node_id: "n1", question: "Spend?" }];
  const submitted = handOver();
  const approval = await pending();
  await cancelTurn(runtimeActor(stage), approval.turnId, neverAborted);
  expect(statuses(await waitForTurn((await submitted).id, 10, neverAborted))).toEqual(["cancelled"]);
  const [after] = await db().select().from(approvals).where(eq(approvals.id, approval.id));
  expect(after?.status).toBe("cancelled");
  await vi.waitFor(() => expect(pipeline.requests.at(-1)).toMatchObject({ method: "DELETE", path: "/messages/async/task-1" }));
});

test.each([
  [{ status: "clarify", clarify: "Which Ann?" }, "needs more detail before it can run: Which Ann?"],
  [{ status: "cancelled" }, "cancelled in the pipeline"],
  [{ state: "?" }, "could not be used: its status cannot be read"],
])("%j is told to the model as an error", async (state, sentence) => {
  const pipeline = await connect();
  pipeline.state = state;
  expect((await handOver()).calls[0]).toMatchObject({ status: "failed", isError: true, content: expect.stringContaining(sentence) });
});

test("an empty answer is still an answer, and an empty intent is refused", async () => {
  const pipeline = await connect();
  pipeline.state = { status: "done", result: { answer: null } };
  expect((await handOver()).calls[0]).toMatchObject({ status: "succeeded", content: expect.stringContaining("returned no text") });
  expect((await handOver("  ")).calls[0]).toMatchObject({ status: "failed", content: expect.stringContaining("say exactly what to do") });
});

test("models see it last, and only where something is behind it; an escalate tool is not seen and not run", async () => {
  const reader = requirePermission(stage.built.agentKey, "tools:read");
  const names = async () => {
    const { tools } = await listConversationTools(reader, stage.conversationId, "handrail");
    return tools.map((tool) => JSON.stringify(tool)).map((text) => /"name":"([^"]+)"/.exec(text)?.[1]);
  };
  expect(await names()).not.toContain("core_execute");
  const look = (await names()).find((name) => name?.includes("look")) ?? "";
  await updateTool(admin(), look, { surface: "escalate" }, null);
  expect((await names()).at(-1)).toBe("core_execute");
  expect(await names()).not.toContain(look);
  const turn = await submitCalls(stage, [[look, { text: "x" }]]);
  expect(turn.calls[0]).toMatchObject({ isError: true, content: expect.stringContaining("core_execute") });
  expect(stage.log).toEqual([]);
});

test("the secret is sealed in the database, in no audit row, and stays behind when the address leads elsewhere", async () => {
  await connect();
  const [row] = await db().select().from(delegates).where(eq(delegates.workspaceId, stage.built.workspace.id));
  expect(row?.secret).toMatch(/^v1\./);
  expect(JSON.stringify(await db().select().from(auditEvents))).not.toContain("s3cret-of-the-pipeline");
  const same = await setDelegate(admin(), DelegateDraft.parse({ url: `${row?.url}v2` }), null);
  expect(same.hasSecret).toBe(true);
  const moved = await setDelegate(admin(), DelegateDraft.parse({ url: "https://elsewhere.example.com" }), null);
  expect(moved.hasSecret).toBe(false);
  await expect(setDelegate(admin(), DelegateDraft.parse({ url: "https://elsewhere.example.com" }), 1)).rejects.toMatchObject({
    code: "stale_version",
  });
});

test("a list of words replaces the default one for the next listing, and a version that is restored brings the old one back", async () => {
  const guard = requirePermission(stage.built.admin, "guard:write");
  const before = await getConfig(requirePermission(stage.built.admin, "guard:read"));
  const surfaceOfLook = async () => (await getTool(requirePermission(stage.built.viewer, "tools:read"), "look")).surface;
  expect(before.escalatePatterns).toContain("send");
  await updateConfig(guard, {}, null);
  await updateConfig(guard, { escalatePatterns: ["look"] }, null);
  expect(await surfaceOfLook()).toBe("escalate");
  const turn = await submitCalls(stage, [["look", { text: "x" }]]);
  expect(turn.calls[0]).toMatchObject({ isError: true, content: expect.stringContaining("use core_execute") });
  await restoreVersion(guard, before.policyVersion + 1);
  expect(await surfaceOfLook()).toBe("natural");
});
