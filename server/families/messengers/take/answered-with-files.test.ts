import { and, asc, eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { agents, conversations, messengerInbound } from "@/db/schema";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { db } from "@/server/platform/database/database";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { connectMessenger } from "@/server/testing/messengers/messenger-stage";
import { calling, giveModel, saying, sentTexts, useRunStage } from "@/server/testing/models/run-stage";
import { startTelegramServer, telegramToken } from "@/server/testing/platforms/telegram-server";
import { buildTools } from "@/server/testing/test-tools";
import { defineTool } from "@/server/tools/define-tool";

process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";
const stage = useRunStage();

/** A private chat of Telegram in which the agent has asked something. */
async function meet(...asking: ReturnType<typeof calling>[]) {
  const telegram = await startTelegramServer();
  onTestFinished(() => telegram.close());
  const until = (text: string) =>
    expect.poll(() => [...telegram.messages.values()].map((message) => String(message.text)).join("\n")).toContain(text);
  const model = await giveModel(stage, [...asking, saying("I have both.")]);
  const { id } = await connectMessenger(stage, {
    ...{ platform: "telegram", transport: "connection", settings: { apiUrl: telegram.url }, secrets: { token: telegramToken } },
    streams: false,
  });
  telegram.files.set("f1", Buffer.from("the older plan"));
  telegram.files.set("f2", Buffer.from("the newer plan"));
  const send = (ref: string, name: string, caption: string) =>
    telegram.message("", { text: undefined as never, caption, document: { file_id: ref, file_name: name, file_size: 14 } });
  const result = () => model.requests.flatMap((request) => sentTexts(request)).at(-1) ?? "";
  const rows = () => db().select().from(messengerInbound).where(eq(messengerInbound.messengerId, id)).orderBy(asc(messengerInbound.id));
  telegram.message("Build it");
  await until("Which plan?");
  return { telegram, until, send, result, rows };
}

/** Lets the agent ask with its own tool, which reads files. */
async function askItself() {
  const { id: workspaceId } = stage.built.workspace;
  await addBuiltinTools(workspaceId);
  return meet(calling(["enable_tool", { toolName: "ask_user" }]), calling(["ask_user", { question: "Which plan?" }]));
}

test("a voice message answers a question as a text does", async () => {
  const { telegram, until, result } = await askItself();
  telegram.files.set("v1", Buffer.from("OggS\u0000voice"));
  telegram.message("", { text: undefined as never, voice: { file_id: "v1", file_size: 10, mime_type: "audio/ogg" } });
  await until("I have both.");
  expect(result()).toMatch(/The user answered: \[A voice message: received\/voice\.ogg\. It was not written down/);
});

test("files that come with the answer to a question, or shortly before it, reach the agent with the answer", async () => {
  const { id: workspaceId } = stage.built.workspace;
  const { until, send, result, rows } = await askItself();
  send("f1", "old.txt", "");
  await until("Received old.txt");
  send("f2", "new.txt", "These two");
  await until("I have both.");
  expect(result()).toContain("The user answered: These two");
  expect(result()).toMatch(/received\/old\.txt \(text\/plain[^)]*, 14 bytes\)[\s\S]*received\/new\.txt \(text\/plain[^)]*, 14 bytes\)/);
  const [conversation] = await db()
    .select()
    .from(conversations)
    .where(and(eq(conversations.workspaceId, workspaceId), eq(conversations.origin, "messenger")));
  const [agent] = await db().select().from(agents).where(eq(agents.id, stage.built.agent.id));
  if (!conversation || !agent) throw new Error("no conversation has begun");
  const bytes = await workspaceFiles(workspaceFolder(conversation, agent)).readBytes("received/new.txt", { maxBytes: 100 });
  expect(Buffer.from(bytes).toString()).toBe("the newer plan");
  expect((await rows()).map(({ status }) => status)).toEqual(["done", "done", "done"]);
});

test("a file that comes with the answer to a server's question waits for the next text, because the server reads a value", async () => {
  const asks = defineTool({
    ...{ name: "asks", title: "Asks", description: "Asks for a value", family: "probe", tier: "core", effect: "read", needs: [] },
    ...{ stateful: true, input: z.object({}) },
    async *execute() {
      return `The value is ${yield { ask: "Which plan?" }}`;
    },
  });
  await buildTools(stage.built.workspace.id, [asks], { alias: "asking" });
  const { until, send, result, rows } = await meet(calling(["asks", {}]));
  send("f2", "new.txt", "The new one");
  await until("I have both.");
  expect(result()).toMatch(/The value is The new one(?!.*received)/);
  await until("Received new.txt");
  expect((await rows()).at(-1)).toMatchObject({ status: "pending", text: "", files: [{ name: "new.txt" }] });
});
