import "server-only";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { and, asc, eq, isNotNull, isNull, lt } from "drizzle-orm";
import type { ResultBlock } from "@/contracts/calls/content-part";
import type { JsonObject } from "@/contracts/common";
import type { Call, ContentPart, Turn } from "@/contracts/turns/turns";
import { approvals, toolCalls, tools, turns } from "@/db/schema";
import { requirePermission } from "@/server/auth/actor";
import { readArtifact } from "@/server/conversations/artifacts";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import type { McpClient } from "../client/mcp-client";
import { artifactUri } from "../contents/artifact-resources";

/** Larger pictures and sounds are sent as links, because clients read an answer as a whole. */
const maxInlineBytes = 2_097_152;

/** The reader of a result, who may read its artifacts. */
type ResultReader = Pick<McpClient, "actor">;

/** The turn and what belongs to it, for programs. */
export function turnMeta(turn: Turn): Record<string, string> {
  const approvalId = turn.calls[0]?.approvalId;
  return {
    "handrail/turn": turn.id,
    "handrail/conversation": turn.conversationId,
    ...(approvalId ? { "handrail/approval": approvalId } : {}),
  };
}

/** Converts a finished call to a tool result: its blocks as their server sent them, structured content, `_meta`. */
export async function presentResult(client: ResultReader, turn: Turn, call: Call): Promise<CallToolResult> {
  const parts = call.contentParts ?? [];
  const files = parts.filter((part) => part.type === "artifact");
  const layout = parts.find((part) => part.type === "text");
  const placed = new Set(layout?.blocks?.map(({ part }) => part));
  const rest = parts.filter((part, place) => part.type !== "text" && !placed.has(place));
  const jobs = (turn.finishedJobs ?? []).map(
    ({ jobId, name, status, content }) => `Background job ${jobId} (${name}) ${status}:\n${content}`,
  );
  return {
    content: [
      ...(await presentBlocks(client, call.content, parts, layout?.blocks ?? [])),
      ...jobs.map((text): ContentBlock => ({ type: "text", text })),
      ...(await Promise.all(rest.map((part) => presentPart(client, part)))),
    ],
    ...(await structuredContent(client, call, files)),
    isError: call.isError,
    _meta: { ...layout?.meta, ...turnMeta(turn) },
  };
}

type FilePart = Extract<ContentPart, { type: "artifact" }>;

/** Cuts a result's text into the blocks that its server sent; what stands between them is Handrail's own. */
async function presentBlocks(
  client: ResultReader,
  content: string,
  parts: readonly ContentPart[],
  blocks: readonly ResultBlock[],
): Promise<ContentBlock[]> {
  const presented: ContentBlock[] = [];
  let from = 0;
  for (const { start, end, part, annotations, meta } of blocks) {
    presented.push(...textBlocks(content.slice(from, start)));
    const own = part === undefined ? undefined : parts[part];
    const block: ContentBlock = own ? await presentPart(client, own) : { type: "text", text: content.slice(start, end) };
    presented.push({ ...block, ...(annotations ? { annotations } : {}), ...(meta ? { _meta: meta } : {}) } as ContentBlock);
    from = end;
  }
  return from === 0 ? [{ type: "text", text: content }] : [...presented, ...textBlocks(content.slice(from))];
}

async function presentPart(client: ResultReader, part: ContentPart): Promise<ContentBlock> {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "artifact":
      return presentFile(client, part);
    case "resource_link":
      return linkBlock(part);
    case "resource":
      return { type: "resource", resource: { uri: part.uri, ...(part.mediaType ? { mimeType: part.mediaType } : {}), text: part.text } };
  }
}

function linkBlock({ uri, name, description, mediaType }: Extract<ContentPart, { type: "resource_link" }>): ContentBlock {
  return { type: "resource_link", uri, name, ...(description ? { description } : {}), ...(mediaType ? { mimeType: mediaType } : {}) };
}

/** Parts of a text are joined by a line end each. */
function textBlocks(text: string): ContentBlock[] {
  const trimmed = text.replace(/^\n|\n$/g, "");
  return trimmed === "" ? [] : [{ type: "text", text: trimmed }];
}

/** Returns a call's structured content, also a large one, because a client refuses a result that lacks it. */
async function structuredContent(client: ResultReader, call: Call, files: FilePart[]): Promise<Pick<CallToolResult, "structuredContent">> {
  if (call.structuredContent) return { structuredContent: call.structuredContent };
  const file = files.find(({ isStructuredContent, bytes }) => isStructuredContent && bytes <= maxInlineBytes);
  if (!file) return {};
  const { stream } = await readArtifact(requirePermission(client.actor, "turns:read"), file.artifactId);
  return { structuredContent: (await new Response(stream).json()) as JsonObject };
}

async function presentFile(client: ResultReader, { artifactId, mediaType, bytes, uri }: FilePart): Promise<ContentBlock> {
  const kind = /^(image|audio)\//.exec(mediaType)?.[1];
  const { artifact, stream } = await readArtifact(requirePermission(client.actor, "turns:read"), artifactId);
  if ((kind || uri) && bytes <= maxInlineBytes) {
    const data = Buffer.from(await new Response(stream).arrayBuffer()).toString("base64");
    if (uri) return { type: "resource", resource: { uri, mimeType: mediaType, blob: data } };
    return { type: kind === "image" ? "image" : "audio", data, mimeType: mediaType };
  }
  await stream.cancel();
  return { type: "resource_link", uri: artifactUri(artifactId), name: artifact.name, mimeType: mediaType, size: bytes };
}

/** Address of the console page where people decide an approval. */
export const approvalUrl = (approvalId: string): string => `${env().publicUrl}/approvals?approval=${approvalId}`;

/** Tells the model that a call has no result yet, whom it waits for, and how to get the result. */
export async function presentPending(turn: Turn): Promise<CallToolResult> {
  const { id, calls } = turn;
  const [call] = calls;
  const name = call?.name ?? "The call";
  const question = turn.status === "running" ? await findOpenQuestion(id) : null;
  const state =
    call?.status === "awaiting_approval" && call.approvalId
      ? `${name} has not run yet because a person has to approve it first: ${approvalUrl(call.approvalId)}. Once approved, it runs by itself.`
      : question
        ? `${name} is running and waits for a person's answer: ${approvalUrl(question)}. Once answered, it goes on by itself.`
        : call?.startedAt
          ? `${name} is still running.`
          : `${name} has not begun: ${await queueSentence(turn)}`;
  const next = `Call get_result with id "${id}" for its result; do not send the call again.`;
  return { content: [{ type: "text", text: `${state} ${next}` }], isError: false, _meta: turnMeta(turn) };
}

/** Says what a call that has not begun waits for: the oldest running call of its conversation that others wait for. */
async function queueSentence({ id, conversationId }: Turn): Promise<string> {
  const isAhead = and(
    eq(turns.conversationId, conversationId),
    lt(turns.id, id),
    eq(tools.concurrencySafe, false),
    isNotNull(toolCalls.startedAt),
    isNull(toolCalls.finishedAt),
  );
  const [ahead] = await db()
    .select({ name: toolCalls.name, turnId: turns.id })
    .from(toolCalls)
    .innerJoin(turns, eq(turns.id, toolCalls.turnId))
    .innerJoin(tools, and(eq(tools.workspaceId, turns.workspaceId), eq(tools.name, toolCalls.name)))
    .where(isAhead)
    .orderBy(asc(turns.id))
    .limit(1);
  if (!ahead) return "it waits for its turn.";
  const question = await findOpenQuestion(ahead.turnId);
  const held = question ? `, which waits for a person's answer: ${approvalUrl(question)}` : "";
  return `it is queued behind ${ahead.name} of the same conversation${held}.`;
}

/** Finds the question of a running call that nobody has answered yet. */
async function findOpenQuestion(turnId: string): Promise<string | null> {
  const isOpen = and(eq(approvals.turnId, turnId), eq(approvals.kind, "question"), eq(approvals.status, "pending"));
  const [row] = await db().select({ id: approvals.id }).from(approvals).where(isOpen).limit(1);
  return row?.id ?? null;
}
