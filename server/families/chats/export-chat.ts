import "server-only";
import { and, asc, eq, gt, inArray } from "drizzle-orm";
import type { Chat, ChatFormat, ChatRun } from "@/contracts/runs/chats";
import type { RunMessage } from "@/contracts/runs/runs";
import { agents, runMessages, runs } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { presentMessage, presentRun } from "@/server/runs/read/present-run";
import { inHistory } from "@/server/runs/run-row";
import { getChat } from "./list-chats";

const runsPerPage = 20;

/**
 * Streams a chat as a file, oldest message first, without replaced ones. Runs are read as the client takes them, because a conversation may
 * be larger than memory; a run that begins meanwhile may be in it.
 * @throws AppError `not_found`
 */
export async function exportChat(
  actor: Authorized<"turns:read">,
  conversationId: string,
  format: ChatFormat,
): Promise<ReadableStream<Uint8Array>> {
  const chat = await getChat(actor, conversationId);
  await db().transaction((tx) =>
    record(tx, {
      workspaceId: actor.workspaceId,
      event: "conversation.exported",
      actor: toActorRef(actor),
      subject: conversationId,
      conversationId,
      data: { format },
      requestId: actor.requestId,
    }),
  );
  const parts = format === "json" ? jsonParts(chat) : markdownParts(chat);
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return();
    },
  });
}

async function* jsonParts(chat: Chat): AsyncGenerator<string, void, void> {
  const { excerpt: _, excerptOf: __, ...rest } = chat;
  yield `{"chat":${JSON.stringify(rest)},"runs":[`;
  let between = "\n";
  for await (const run of readRuns(chat.id)) {
    yield `${between}${JSON.stringify(run)}`;
    between = ",\n";
  }
  yield "\n]}\n";
}

async function* markdownParts({ id, title, agent, createdAt }: Chat): AsyncGenerator<string, void, void> {
  yield `# ${oneLine(title)}\n\nAgent: ${oneLine(agent)}  \nConversation: ${id}  \nBegun: ${createdAt}\n`;
  for await (const { run, messages } of readRuns(id)) {
    yield messages.map((message) => messageText(message, agent)).join("");
    if (run.error) yield `\n> ${oneLine(run.error)}\n`;
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

function messageText({ role, text, toolCalls, attachments, name, isError, createdAt }: RunMessage, agent: string): string {
  const heading = (who: string) => `\n## ${oneLine(who)} · ${createdAt}\n`;
  switch (role) {
    case "user":
      return `${heading("Person")}\n${text}\n${attachments.map(({ path }) => `\n- File: ${oneLine(path)}\n`).join("")}`;
    case "tool":
      return `\n### ${isError ? "Error" : "Result"} of ${oneLine(name ?? "a tool")}\n\n${fenced(text, "")}`;
    case "summary":
    case "note":
      return `${heading(role === "note" ? "Handrail" : "Summary for the model")}\n${text}\n`;
    case "assistant": {
      const calls = toolCalls.map(({ name, arguments: args }) => `\n### Call of ${oneLine(name)}\n\n${fenced(args, "json")}`).join("");
      return `${text === "" ? "" : `${heading(agent)}\n${text}\n`}${calls}`;
    }
  }
}

/** Encloses a text in a fence that is longer than any in it, so that no result ends its own block. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}\n`;
}

async function* readRuns(conversationId: string): AsyncGenerator<ChatRun, void, void> {
  let last: string | null = null;
  for (;;) {
    const found: { run: typeof runs.$inferSelect; agent: string }[] = await db()
      .select({ run: runs, agent: agents.name })
      .from(runs)
      .innerJoin(agents, eq(agents.id, runs.agentId))
      .where(and(eq(runs.conversationId, conversationId), inHistory, last === null ? undefined : gt(runs.id, last)))
      .orderBy(asc(runs.id))
      .limit(runsPerPage);
    const ids = found.map(({ run }) => run.id);
    const messages =
      ids.length === 0
        ? []
        : await db().select().from(runMessages).where(inArray(runMessages.runId, ids)).orderBy(runMessages.runId, runMessages.position);
    const byRun = Map.groupBy(messages, ({ runId }) => runId);
    for (const { run, agent } of found) {
      yield { run: presentRun(run, agent), messages: (byRun.get(run.id) ?? []).map(presentMessage) };
    }
    last = ids.at(-1) ?? null;
    if (found.length < runsPerPage) return;
  }
}
