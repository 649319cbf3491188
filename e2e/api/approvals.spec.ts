import { randomUUID } from "node:crypto";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { submitTurnIn, waitForEnd } from "../console/submit-requests";
import { askBefore, expect, test } from "../fixtures";

askBefore("write_file");

test("a line of the inbox is found by its shape, edited and approved, and the model is told", async ({ api }) => {
  const { id: conversationId } = await api.agent.call(conversationEndpoints.create, { body: {} });
  const folder = `inbox-${randomUUID().slice(0, 8)}`;
  const asked = await submitTurnIn(api.agent, conversationId, [
    { name: "write_file", arguments: { path: `${folder}/a.txt`, content: "theirs" } },
  ]);
  const shape = `write ${folder}/…`;
  const { items, total } = await api.approver.call(approvalEndpoints.inbox, { query: { status: "pending", shape, mine: "true" } });
  expect({ items, total }).toMatchObject({ total: 1, items: [{ kind: "call", shape, mayDecide: { isAllowed: true } }] });
  const { groups } = await api.viewer.call(approvalEndpoints.groups, { query: { status: "pending", shape } });
  expect(groups).toMatchObject([{ tool: "write_file", shape, count: 1 }]);

  const params = { id: asked.calls[0]?.approvalId ?? "" };
  const { proposals } = await api.viewer.call(approvalEndpoints.proposals, { params });
  expect(proposals.map(({ label }) => label)).toEqual(["exactly these arguments", `files in ${folder}/`, `everything below ${folder}/`]);
  const wrong = { decision: "approve" as const, arguments: { path: 7 } };
  expect(await api.approver.refusal(approvalEndpoints.decide, { params, body: wrong })).toMatchObject({
    code: "invalid",
    errors: [{ path: "arguments.path" }],
  });
  const edited = { path: `${folder}/a.txt`, content: "ours" };
  const decided = await api.approver.call(approvalEndpoints.decide, { params, body: { decision: "approve", arguments: edited } });
  expect(decided).toMatchObject({ status: "approved", arguments: { content: "ours" }, askedArguments: { content: "theirs" } });
  const [call] = (await waitForEnd(api.agent, asked.id)).calls;
  expect(call).toMatchObject({ status: "succeeded", content: expect.stringMatching(/^A person changed the arguments of this call/) });
  const [read] = (await submitTurnIn(api.agent, conversationId, [{ name: "read_file", arguments: { path: `${folder}/a.txt` } }])).calls;
  expect(read?.content).toContain("ours");
});

test("a question of a running tool waits in the inbox, and an approver's answer reaches the tool", async ({ api }) => {
  const { id: conversationId } = await api.agent.call(conversationEndpoints.create, { body: {} });
  await submitTurnIn(api.agent, conversationId, [{ name: "enable_tool", arguments: { toolName: "ask_user" } }]);
  const asked = await submitTurnIn(api.agent, conversationId, [{ name: "ask_user", arguments: { question: "Which branch?" } }], 1);
  const query = { status: "pending", kind: "question", conversationId } as const;
  await expect.poll(async () => (await api.approver.call(approvalEndpoints.inbox, { query })).total).toBe(1);
  const [line] = (await api.approver.call(approvalEndpoints.inbox, { query })).items;
  expect(line).toMatchObject({ summary: "Which branch?", tool: { name: "ask_user" } });
  const params = { id: line?.id ?? "" };
  expect(await api.approver.refusal(approvalEndpoints.decide, { params, body: { decision: "approve" } })).toMatchObject({
    code: "invalid",
  });
  const body = { decision: "approve", answer: "main" } as const;
  expect(await api.approver.call(approvalEndpoints.decide, { params, body })).toMatchObject({ status: "answered" });
  expect((await waitForEnd(api.agent, asked.id)).calls[0]).toMatchObject({ status: "succeeded", content: "The user answered: main" });
});
