import { randomUUID } from "node:crypto";
import { delegateEndpoints } from "@/contracts/agents/delegate";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { grantEndpoints } from "@/contracts/guard/grants";
import { submitTurnIn, waitForEnd } from "../console/submit-requests";
import { askBefore, expect, test } from "../fixtures";

askBefore("write_file", "shell_execute");

const newPath = () => `grants-${randomUUID().slice(0, 8)}.txt`;

test("an approval that is remembered lets the same call of the conversation pass, until it is revoked", async ({ api }) => {
  const { id: conversationId } = await api.agent.call(conversationEndpoints.create, { body: {} });
  const calls = [{ name: "write_file", arguments: { path: newPath(), content: "written" } }];
  const asked = await submitTurnIn(api.agent, conversationId, calls);
  const approvalId = asked.calls[0]?.approvalId ?? "";
  await api.approver.call(approvalEndpoints.decide, {
    params: { id: approvalId },
    body: { decision: "approve", remember: { scope: "conversation", match: "exact" } },
  });
  // Only a file whose writing has ended is known to the conversation.
  await waitForEnd(api.agent, asked.id);
  const granted = await submitTurnIn(api.agent, conversationId, calls);
  expect(granted.calls[0]).toMatchObject({ status: "succeeded", decision: { verdict: "allow" } });

  const { items } = await api.viewer.call(grantEndpoints.list, { query: { conversationId } });
  expect(items).toMatchObject([{ scope: "conversation", state: "active", kind: "conversation_end", approvalId, uses: 1 }]);
  const [grant] = items;
  if (!grant) throw new Error("no grant");
  expect(granted.calls[0]?.decision?.grantId).toBe(grant.id);

  await api.stranger.refusal(grantEndpoints.revoke, { params: { id: grant.id } });
  expect(await api.viewer.refusal(grantEndpoints.revoke, { params: { id: grant.id } })).toMatchObject({ code: "forbidden" });
  await api.admin.call(grantEndpoints.revoke, { params: { id: grant.id } });
  expect((await submitTurnIn(api.agent, conversationId, calls)).calls[0]?.status).toBe("awaiting_approval");
  expect((await api.viewer.call(grantEndpoints.list, { query: { conversationId, active: "true" } })).items).toEqual([]);
});

test("a grant for the workspace is an admin's to give, and what it lacks is said", async ({ api }) => {
  const body = { scope: "workspace", tool: "write_file", match: { kind: "pattern", parameter: "path", pattern: "^never-" } } as const;
  expect(await api.approver.refusal(grantEndpoints.create, { body })).toMatchObject({ code: "forbidden" });
  expect(await api.admin.refusal(grantEndpoints.create, { body: { ...body, kind: "until" } })).toMatchObject({
    code: "invalid",
    detail: expect.stringContaining("expiresAt is required"),
  });
  const wrong = { ...body, match: { ...body.match, pattern: "a(" } };
  expect(await api.admin.refusal(grantEndpoints.create, { body: wrong })).toMatchObject({ errors: [{ path: "match.pattern" }] });
  const grant = await api.admin.call(grantEndpoints.create, { body });
  expect(grant).toMatchObject({ kind: "always", maxSeverity: "low", state: "active" });
  await api.admin.call(grantEndpoints.revoke, { params: { id: grant.id } });
  expect(await api.admin.refusal(grantEndpoints.revoke, { params: { id: grant.id } })).toMatchObject({ code: "conflict" });
});

test("what a person refused is recognised when it comes by another tool", async ({ api }) => {
  const { id: conversationId } = await api.agent.call(conversationEndpoints.create, { body: {} });
  const path = newPath();
  const removal = await submitTurnIn(api.agent, conversationId, [{ name: "shell_execute", arguments: { command: `rm ${path}` } }]);
  await api.approver.call(approvalEndpoints.decide, {
    params: { id: removal.calls[0]?.approvalId ?? "" },
    body: { decision: "reject", comment: "It is needed." },
  });
  expect((await waitForEnd(api.agent, removal.id)).calls[0]?.status).toBe("rejected");
  const around = await submitTurnIn(api.agent, conversationId, [{ name: "write_file", arguments: { path, content: "" } }]);
  expect(around.calls[0]?.decision?.reason).toContain("A person refused shell_execute");
  expect(around.status).toBe("suspended");
});

test("with no pipeline core_execute says so in band, and the pipeline's secret never comes back", async ({ api }) => {
  const { id: conversationId } = await api.agent.call(conversationEndpoints.create, { body: {} });
  const turn = await submitTurnIn(api.agent, conversationId, [{ name: "core_execute", arguments: { intent: "pay" } }]);
  expect(turn.calls[0]).toMatchObject({ isError: true, content: expect.stringContaining("not connected") });
  const secret = `secret-${randomUUID()}`;
  const set = await api.admin.send(delegateEndpoints.set, { body: { url: "https://pipeline.example.com", secret, enabled: false } });
  const text = await set.text();
  expect(set.status, text).toBe(200);
  expect(text).not.toContain(secret);
  expect(await api.viewer.call(delegateEndpoints.get)).toMatchObject({ hasSecret: true, connected: false });
  await api.admin.call(delegateEndpoints.remove);
});
