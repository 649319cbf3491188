import { afterEach, expect, test, vi } from "vitest";
import { buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { ClientChannel } from "./client-channel";
import type { McpClient } from "./mcp-client";

useTestDatabase();
afterEach(() => {
  vi.useRealTimers();
});

test("a client's question expires after five minutes, is withdrawn from the client, and ends as expired and not as refused", async () => {
  const { admin } = await buildWorkspace();
  const client = { actor: admin, isStateless: false, name: "desk 1.0", answers: ["form"], logLevel: null } as unknown as McpClient;
  const channel = new ClientChannel(client);
  const sent = vi.fn();
  const notify = vi.fn();
  channel.connect({ send: sent, notify, progressToken: null });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const entered = channel.entered(() => {});
  const reply = entered.request({ method: "elicitation/create", params: { message: "Your name?" } }, new AbortController().signal);
  expect(sent).toHaveBeenCalledWith({ id: expect.any(String), method: "elicitation/create", params: { message: "Your name?" } });
  vi.advanceTimersByTime(299_999);
  expect(channel.isAsking).toBe(true);
  expect(notify).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(await reply).toEqual({ kind: "expired", seconds: 300 });
  expect(channel.isAsking).toBe(false);
  const [question] = sent.mock.calls[0] ?? [];
  expect(notify).toHaveBeenCalledWith("notifications/cancelled", { requestId: question.id, reason: "Nobody answered in time." });
});
