import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { JsonObject } from "@/contracts/common";
import type { tools } from "@/db/schema";
import type { AnyTool, ToolCallContext, ToolResult } from "@/server/tools/define-tool";
import { type HintUse, hintTraits } from "@/server/tools/pins/hint-effect";
import { passedMeta } from "../content/passed-meta";
import { checkArguments } from "../schemas/argument-check";
import { describeDefinition } from "./describe-definition";
import type { UpstreamTool } from "./list-upstream-tools";
import { nameTools } from "./tool-names";

/** The part of a server that its tools need. */
export type ToolServer = HintUse & { id: string; alias: string; callTimeoutSeconds: number };

/** Runs an upstream tool through the server's current session. */
export type CallUpstream = (
  tool: { rawName: string; inputSchema: JsonObject; idempotent: boolean },
  args: JsonObject,
  context: ToolCallContext,
) => Promise<ToolResult>;

/** Converts upstream tools to Handrail's tools. Yields after each schema, so that a thousand do not block the event loop. */
export async function describeTools(server: ToolServer, listed: readonly UpstreamTool[], call: CallUpstream): Promise<AnyTool[]> {
  const names = nameTools(
    server.alias,
    listed.map(({ name }) => name),
  );
  const described: AnyTool[] = [];
  for (const tool of listed) {
    const name = names.get(tool.name);
    if (name) described.push(describeTool(server, name, tool, call));
    await yieldToEventLoop();
  }
  return described;
}

function describeTool(server: ToolServer, name: string, listed: UpstreamTool, call: CallUpstream): AnyTool {
  const definition = describeDefinition(server.alias, name, listed);
  const { title, description, rawName, primaryArgument, inputSchema, annotations, unavailableReason } = definition;
  return makeTool(server, call, {
    name,
    title,
    description,
    rawName,
    ...hintTraits(annotations, server),
    primaryArgument,
    inputSchema,
    definition,
    meta: passedMeta(listed._meta),
    ...(unavailableReason ? { unavailableReason } : {}),
  });
}

/** Makes a tool from its row, for the time between the start and the server's connection. */
export function toolFromRow(server: ToolServer, row: typeof tools.$inferSelect, call: CallUpstream): AnyTool {
  const { name, title, description, rawName, effect, concurrencySafe, idempotent, primaryArgument, inputSchema, meta, pinHash } = row;
  const described = { name, title, description, rawName, effect, concurrencySafe, idempotent, primaryArgument, inputSchema, meta };
  return makeTool(server, call, { ...described, ...(pinHash === null ? {} : { definition: { hash: pinHash } }) });
}

type Described = Pick<
  AnyTool,
  | "name"
  | "title"
  | "description"
  | "rawName"
  | "effect"
  | "concurrencySafe"
  | "idempotent"
  | "primaryArgument"
  | "inputSchema"
  | "definition"
  | "meta"
  | "unavailableReason"
>;

function makeTool(server: ToolServer, call: CallUpstream, described: Described): AnyTool {
  const { name, rawName, idempotent, inputSchema } = described;
  return {
    ...described,
    source: "mcp",
    sourceRef: server.id,
    family: server.alias,
    defaultTier: "extension",
    needs: [],
    aliases: [],
    mode: "direct",
    backgroundable: false,
    dangerous: false,
    alwaysOn: false,
    neverSpilled: false,
    timeoutMs: server.callTimeoutSeconds * 1_000,
    parse: (args) => checkArguments(name, inputSchema, args),
    run: (args, context) => call({ rawName, inputSchema, idempotent: idempotent && context.mayRepeat !== false }, args, context),
  };
}
