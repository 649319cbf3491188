import type { ContentBlock } from "@modelcontextprotocol/client";
import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { approvals, auditEvents, conversations, mcpClientSessions, turns } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { db } from "@/server/platform/database/database";
import { buildMcpKey, connectSession, connectStateless, requestMcp, sendStateless } from "@/server/testing/mcp/mcp-clients";
import { approverActor, useStage } from "@/server/testing/stage";
import { buildTools } from "@/server/testing/test-tools";
import { defineTool } from "@/server/tools/define-tool";

const stage = useStage();
let key: string;
beforeEach(async () => {
  key = await buildMcpKey(stage.built);
});

const textOf = (result: object) =>
  ("content" in result ? (result.content as ContentBlock[]) : []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

const pendingApproval = () =>
  vi.waitFor(async () => {
    const pending = and(eq(approvals.workspaceId, stage.built.workspace.id), eq(approvals.status, "pending"));
    const [row] = await db().select().from(approvals).where(pending);
    if (!row) throw new Error("nobody was asked");
    return row;
  });
const approve = async () => decideApproval(approverActor(stage), (await pendingApproval()).id, { decision: "approve", comment: "" });

describe("a client of revision 2026-07-28", () => {
  test("lists the agent's tools and calls one; the call is a turn with its audit rows", async () => {
    const client = await connectStateless(key);
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["look", "change"]));
    expect(tools.at(-1)?.name).toBe("get_result");
    expect(tools.find(({ name }) => name === "look")).toMatchObject({ _meta: { "handrail/effect": "read" } });

    const result = await client.callTool({ name: "look", arguments: { text: "around" } });
    expect(result).toMatchObject({ isError: false, content: [{ type: "text", text: "saw around" }] });
    const [conversation] = await db().select().from(conversations).where(eq(conversations.origin, "mcp"));
    expect(conversation).toMatchObject({ agentId: stage.built.agent.id, metadata: { title: "test-client 1.2.3" } });
    const audited = await db()
      .select({ event: auditEvents.event })
      .from(auditEvents)
      .where(eq(auditEvents.conversationId, conversation?.id ?? ""));
    expect(audited.map(({ event }) => event)).toEqual(expect.arrayContaining(["conversation.created", "call.succeeded"]));
    await client.close();
  });

  test("that opens addresses is sent to the approval's page, and receives the result after the decision", async () => {
    const opened: string[] = [];
    const client = await connectStateless(key, { capabilities: { elicitation: { url: {} } }, onUrl: (url) => opened.push(url) });
    const calling = client.callTool({ name: "change", arguments: { text: "it" } });
    const { id } = await pendingApproval();
    await vi.waitFor(() => expect(opened).toEqual([`http://localhost:3000/approvals?approval=${id}`]));
    expect(stage.log).toEqual([]);
    await approve();
    expect(textOf(await calling)).toBe("changed it");
    expect(stage.log).toEqual(["change it"]);
    await client.close();
  });

  test("separates conversations by its own name in a header", async () => {
    const one = await connectStateless(key, { headers: { "handrail-conversation": "one" } });
    const other = await connectStateless(key, { headers: { "handrail-conversation": "other" } });
    const first = await one.callTool({ name: "look", arguments: {} });
    const second = await other.callTool({ name: "look", arguments: {} });
    const again = await one.callTool({ name: "look", arguments: {} });
    expect(first._meta?.["handrail/conversation"]).toBe(again._meta?.["handrail/conversation"]);
    expect(first._meta?.["handrail/conversation"]).not.toBe(second._meta?.["handrail/conversation"]);
    const byId = await connectStateless(key, { headers: { "handrail-conversation": String(first._meta?.["handrail/conversation"]) } });
    expect((await byId.callTool({ name: "look" }))._meta?.["handrail/conversation"]).toBe(first._meta?.["handrail/conversation"]);
    await Promise.all([one.close(), other.close(), byId.close()]);
  });

  test("a state that was signed for another key or another call is refused", async () => {
    const opensUrls = { elicitation: { url: {} } };
    const round = (token: string, call: object) => sendStateless(token, "tools/call", { name: "change", ...call }, opensUrls);
    const asked = await round(key, { arguments: { text: "it" } });
    expect(asked.result).toMatchObject({ resultType: "input_required", inputRequests: { approval: { method: "elicitation/create" } } });
    const { requestState } = asked.result;
    const refused = { error: { code: -32602 } };
    expect(await round(key, { arguments: { text: "another" }, requestState })).toMatchObject(refused);
    expect(await round(key, { arguments: { text: "it" }, requestState: `${requestState}x` })).toMatchObject(refused);
    expect(await round(await buildMcpKey(stage.built, "other"), { arguments: { text: "it" }, requestState })).toMatchObject(refused);
    await approve();
    expect((await round(key, { arguments: { text: "it" }, requestState })).result).toMatchObject({ content: [{ text: "changed it" }] });
  });
});

describe("a client of revision 2025-11-25", () => {
  test("has a session of its key, which ends when the client ends it", async () => {
    const { client, transport } = await connectSession(key);
    expect(transport.protocolVersion).toBe("2025-11-25");
    expect(textOf(await client.callTool({ name: "look", arguments: { text: "a" } }))).toBe("saw a");
    const stored = await db().select().from(mcpClientSessions);
    expect(JSON.stringify(stored)).not.toContain(transport.sessionId);
    const ping = (token: string) =>
      requestMcp("http://localhost:3000/mcp", {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-session-id": transport.sessionId ?? "",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 9, method: "ping" }),
      });
    expect((await ping(key)).status).toBe(200);
    expect((await ping(await buildMcpKey(stage.built, "other"))).status).toBe(404);
    await transport.terminateSession();
    expect((await ping(key)).status).toBe(404);
    await client.close();
  });

  test("without elicitation reads that a person is asked, and gets the result once, by get_result or by the same call", async () => {
    const { client } = await connectSession(key);
    const calling = client.callTool({ name: "change", arguments: { text: "it" } });
    const asked = await calling;
    expect(asked.isError).toBe(false);
    expect(textOf(asked)).toContain("/approvals?approval=");
    const turnId = String(asked._meta?.["handrail/turn"]);
    const waiting = client.callTool({ name: "get_result", arguments: { id: turnId } });
    await approve();
    expect(textOf(await waiting)).toBe("changed it");
    expect(stage.log).toEqual(["change it"]);
    expect(await client.callTool({ name: "get_result", arguments: {} })).toMatchObject({ isError: true });
    await client.close();
  }, 20_000);

  test("that opens addresses gets the page in the error, and the same call later returns the one result", async () => {
    const { client } = await connectSession(key, { capabilities: { elicitation: { url: {} } } });
    const error = await client.callTool({ name: "change", arguments: { text: "it" } }).catch((refusal) => refusal);
    const { id } = await pendingApproval();
    expect(error).toMatchObject({ code: -32042, data: { elicitations: [{ mode: "url", elicitationId: id }] } });
    const completed = new Promise<unknown>((resolve) => {
      client.fallbackNotificationHandler = async (notification) => resolve(notification);
    });
    await approve();
    expect(await completed).toMatchObject({ method: "notifications/elicitation/complete", params: { elicitationId: id } });
    expect(textOf(await client.callTool({ name: "change", arguments: { text: "it" } }))).toBe("changed it");
    expect(stage.log).toEqual(["change it"]);
    await client.close();
  });

  test("cancels the turn of a request", async () => {
    const { client } = await connectSession(key);
    const gone = new AbortController();
    const calling = client.callTool({ name: "hold", arguments: {} }, undefined, { signal: gone.signal }).catch(() => {});
    await stage.gate.reached;
    gone.abort("the user pressed Escape");
    await calling;
    const held = async () => {
      const [turn] = await db().select().from(turns).where(eq(turns.workspaceId, stage.built.workspace.id));
      return turn;
    };
    await vi.waitFor(async () => expect((await held())?.cancelRequestedAt).toBeInstanceOf(Date));
    stage.gate.open();
    await vi.waitFor(async () => expect(await held()).toMatchObject({ status: "cancelled" }));
    await client.close();
  });

  test("hears what a call reports while it runs", async () => {
    const tell = defineTool({
      name: "tell",
      title: "Tell",
      description: "Reports progress until the gate is open",
      family: "probe",
      tier: "core",
      effect: "read",
      needs: [],
      input: z.object({}),
      execute: async (_args, { progress }) => {
        progress("half done");
        await stage.gate.opened;
        return "told";
      },
    });
    await buildTools(stage.built.workspace.id, [tell], { alias: "telling" });
    const { client } = await connectSession(key);
    const heard: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string | undefined }) => {
      heard.push(message);
      stage.gate.open();
    };
    expect(textOf(await client.callTool({ name: "tell", arguments: {} }, undefined, { onprogress }))).toBe("told");
    expect(heard).toEqual(["half done"]);
    await client.close();
  });

  test("gets pictures as pictures, errors in band and structured content", async () => {
    const { client } = await connectSession(key);
    const sorry = await client.callTool({ name: "sorry", arguments: {} });
    expect(sorry).toMatchObject({ isError: true, content: [{ type: "text" }, { type: "image", data: "AQID", mimeType: "image/png" }] });
    expect(await client.callTool({ name: "structure", arguments: { items: 2 } })).toMatchObject({ structuredContent: { items: [0, 1] } });
    expect(await client.callTool({ name: "no_such_tool", arguments: {} })).toMatchObject({ isError: true });
    await client.close();
  });
});

test("a client with the tasks extension follows a call that needs approval as a task", async () => {
  const capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
  const ask = (method: string, params: { name?: string; taskId?: string; arguments?: object }, declared: object = capabilities) =>
    sendStateless(key, method, params, declared);
  const change = { name: "change", arguments: { text: "it" } };
  const { result: created } = await ask("tools/call", change);
  expect(created).toMatchObject({ resultType: "task", status: "working", statusMessage: expect.stringContaining("/approvals?approval=") });
  const { taskId } = created;
  expect(await ask("tasks/get", { taskId }, {})).toMatchObject({ error: { code: -32021 } });
  expect(await ask("tasks/get", { taskId: "nothing" })).toMatchObject({ error: { code: -32602 } });
  await approve();
  await vi.waitFor(async () => {
    const { result } = await ask("tasks/get", { taskId });
    expect(result).toMatchObject({ resultType: "complete", status: "completed", result: { content: [{ text: "changed it" }] } });
  });
  const { result: other } = await ask("tools/call", { ...change, arguments: { text: "more" } });
  expect(await ask("tasks/cancel", { taskId: other.taskId })).toMatchObject({ result: { resultType: "complete" } });
  expect((await ask("tasks/get", { taskId: other.taskId })).result).toMatchObject({ status: "cancelled" });
  expect(stage.log).toEqual(["change it"]);
});
