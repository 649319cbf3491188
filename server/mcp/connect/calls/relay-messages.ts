import { z } from "zod";
import { ActorRef, type Json, type JsonObject } from "@/contracts/common";
import { mcpLogLevels } from "@/contracts/mcp/mcp-contents";
import { errorStatuses } from "@/server/platform/errors";
import { clientAnswers } from "@/server/tools/calling-client";
import { isRichResult, type SentBlock, type ToolResult, toolResult } from "@/server/tools/define-tool";

/** Topic of the messages between the replica that got a call and the replica that has its session. */
export const relayTopic = "mcp.relay";

const json = z.json() as z.ZodType<Json>;
const jsonObject = z.record(z.string(), json) as z.ZodType<JsonObject>;
const Question = z.object({ text: z.string(), options: z.array(z.string()).optional(), url: z.string().optional() });
const Origin = z.object({
  workspaceId: z.string(),
  conversationId: z.string(),
  requestedBy: ActorRef,
});
const Reply = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("answered"), result: jsonObject }),
  z.object({ kind: z.literal("refused"), code: z.number(), message: z.string() }),
  z.object({ kind: z.literal("expired"), seconds: z.number() }),
  z.object({ kind: z.literal("gone") }),
]);
const Failure = z.object({ code: z.enum(Object.keys(errorStatuses) as (keyof typeof errorStatuses)[]), message: z.string() });

/** A message about one relayed call. */
export const RelayMessage = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("call"),
    relay: z.string(),
    from: z.string(),
    serverId: z.string(),
    tool: z.object({ rawName: z.string(), inputSchema: jsonObject, idempotent: z.boolean() }),
    args: jsonObject,
    timeoutMs: z.number(),
    traceparent: z.string().optional(),
    meta: jsonObject.optional(),
    origin: Origin,
    mayAsk: z.boolean(),
    client: z.object({ name: z.string(), answers: z.array(z.enum(clientAnswers)), logLevel: z.enum(mcpLogLevels).nullable() }).optional(),
  }),
  z.object({ kind: z.literal("cancel"), relay: z.string() }),
  z.object({
    kind: z.literal("answer"),
    relay: z.string(),
    number: z.number(),
    answer: z.string().nullable(),
    refusal: Failure.nullable(),
  }),
  z.object({
    kind: z.literal("progress"),
    relay: z.string(),
    message: z.string(),
    step: z.object({ progress: z.number(), total: z.number().optional() }).optional(),
  }),
  z.object({ kind: z.literal("log"), relay: z.string(), level: z.enum(mcpLogLevels), logger: z.string().optional(), data: json }),
  z.object({
    kind: z.literal("ask_client"),
    relay: z.string(),
    number: z.number(),
    request: z.object({ method: z.string(), params: jsonObject, key: z.string().optional() }),
  }),
  z.object({ kind: z.literal("client_reply"), relay: z.string(), number: z.number(), reply: Reply }),
  z.object({ kind: z.literal("ask"), relay: z.string(), number: z.number(), question: Question }),
  z.object({ kind: z.literal("moved"), relay: z.string() }),
  z.object({ kind: z.literal("failed"), relay: z.string(), error: Failure }),
  z.object({ kind: z.literal("done"), relay: z.string(), isRich: z.boolean(), result: json }),
]);
export type RelayMessage = z.infer<typeof RelayMessage>;

/** Converts a result to JSON, files as base64. */
export function packResult(result: ToolResult): { isRich: boolean; result: Json } {
  if (!isRichResult(result)) return { isRich: false, result };
  const { files = [], sections, ...rest } = result;
  const packed = files.map(({ bytes, ...file }) => ({ ...file, base64: Buffer.from(bytes).toString("base64") }));
  return { isRich: true, result: { ...rest, files: packed } as Json };
}

const Block = z.object({
  written: z.string(),
  part: z.object({ of: z.enum(["files", "resources", "links"]), at: z.number() }).optional(),
  annotations: jsonObject.optional(),
  meta: jsonObject.optional(),
});

const Packed = z.object({
  text: z.string(),
  isError: z.boolean().optional(),
  structuredContent: jsonObject.optional(),
  files: z.array(z.object({ name: z.string(), mediaType: z.string(), base64: z.string(), uri: z.string().optional() })),
  resources: z.array(z.object({ uri: z.string(), mediaType: z.string().nullable(), text: z.string() })).optional(),
  links: z.array(z.object({ uri: z.string(), mediaType: z.string().nullable(), name: z.string(), description: z.string() })).optional(),
  blocks: z.array(Block).optional(),
  meta: jsonObject.optional(),
});

/** Restores a result of `packResult`. */
export function unpackResult({ isRich, result }: { isRich: boolean; result: Json }): ToolResult {
  if (!isRich) return result;
  const { text, isError, structuredContent, files, resources, links, blocks, meta } = Packed.parse(result);
  const unpacked = files.map(({ base64, uri, ...file }) => ({
    ...file,
    bytes: Buffer.from(base64, "base64"),
    ...(uri === undefined ? {} : { uri }),
  }));
  return toolResult({
    text,
    ...(isError ? { isError } : {}),
    ...(structuredContent ? { structuredContent } : {}),
    ...(unpacked.length > 0 ? { files: unpacked } : {}),
    ...(resources ? { resources } : {}),
    ...(links ? { links } : {}),
    ...(blocks ? { blocks: blocks as SentBlock[] } : {}),
    ...(meta ? { meta } : {}),
  });
}
