import path from "node:path";
import { expect, test, vi } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { buildConversation } from "@/server/testing/builders";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import type { CallingClient, ClientReply } from "@/server/tools/calling-client";
import type { PersonQuestion } from "@/server/tools/define-tool";

const { connected, house, run, start } = useConnectedServers();
vi.setConfig({ testTimeout: 60_000 });
const full = path.resolve("server/testing/mcp/full-mcp-server.mjs");
const noFields = { fields: { properties: {} } };

/** A call's side: its conversation, its people, and its client, which keeps what it was asked. */
async function side(answer: () => Promise<ClientReply> = async () => ({ kind: "answered", result: { action: "accept", content: {} } })) {
  const { workspace, admin, agent } = house();
  const { id: conversationId } = await buildConversation(admin, { agentId: agent.id });
  const clientAsked: JsonObject[] = [];
  const peopleAsked: string[] = [];
  const client: CallingClient = {
    name: "client",
    answers: ["form", "url", "roots"],
    logLevel: null,
    log: () => {},
    request: async ({ params }) => {
      clientAsked.push(params);
      return answer();
    },
  };
  const ask = async ({ text }: PersonQuestion) => {
    peopleAsked.push(text);
    return "Accept";
  };
  const origin = { workspaceId: workspace.id, conversationId, requestedBy: { type: "user" as const, id: admin.id, name: "Ada" } };
  return { context: { origin, ask, client }, clientAsked, peopleAsked };
}

test("while one conversation's question to a program waits, the question of another reaches the client that made its call", async () => {
  await start();
  const { id } = await connected("full", [full]);
  const answer = Promise.withResolvers<ClientReply>();
  const [one, two] = [await side(() => answer.promise), await side()];
  const waiting = run(id, "full__sign_up", noFields, one.context);
  await vi.waitFor(() => expect(one.clientAsked).toHaveLength(1));
  expect(await run(id, "full__sign_up", noFields, two.context)).toBe('{"action":"accept","content":{}}');
  expect([two.clientAsked.length, two.peopleAsked]).toEqual([1, []]);
  answer.resolve({ kind: "answered", result: { action: "decline" } });
  expect(await waiting).toBe('{"action":"decline"}');
  expect([one.clientAsked.length, one.peopleAsked]).toEqual([1, []]);
});

test("a program's question that either of two conversations' calls may have asked goes to people, who are told so, and to no client", async () => {
  await start();
  const { id } = await connected("full", [full]);
  const [one, two] = [await side(), await side()];
  const holding = run(id, "full__hold", {}, one.context);
  await run(id, "full__pid");
  expect(await run(id, "full__sign_up", noFields, two.context)).toBe('{"action":"accept","content":{}}');
  expect([...one.peopleAsked, ...two.peopleAsked]).toEqual([
    "The MCP server full, which works for several conversations now, asks: Please sign up",
  ]);
  expect([...one.clientAsked, ...two.clientAsked]).toEqual([]);
  await run(id, "full__release");
  expect(await holding).toBe("held");
});

test("a program's question is its conversation's when all calls that may have asked are", async () => {
  await start();
  const { id } = await connected("full", [full]);
  const { context, clientAsked, peopleAsked } = await side();
  const holding = run(id, "full__hold", {}, context);
  expect(await run(id, "full__sign_up", noFields, context)).toBe('{"action":"accept","content":{}}');
  expect([clientAsked.length, peopleAsked]).toEqual([1, []]);
  await run(id, "full__release", {}, context);
  expect(await holding).toBe("held");
});

test("a call that wants a page first is made when its client has opened the page and the server tells that it is finished", async () => {
  await start();
  const { id } = await connected("full", [full]);
  const { context, clientAsked } = await side(async () => ({ kind: "answered", result: { action: "accept" } }));
  expect(await run(id, "full__page_first", { tells: true }, context)).toBe("after the page");
  expect(clientAsked.map(({ elicitationId }) => elicitationId)).toEqual(["p1"]);
});

test("a program's question that names its task reaches the client of that call, whatever else runs there", async () => {
  await start();
  const { id } = await connected("full", [full]);
  const [one, two] = [await side(), await side()];
  const holding = run(id, "full__hold", {}, one.context);
  expect(await run(id, "full__long_question", {}, two.context)).toBe('{"action":"accept","content":{}}');
  expect([one.clientAsked, two.clientAsked.map(({ message }) => message)]).toEqual([[], ["Which year?"]]);
  await run(id, "full__release");
  expect(await holding).toBe("held");
});
