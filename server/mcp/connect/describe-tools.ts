import { setImmediate as breathe } from "node:timers/promises";
import type { JsonObject } from "@/contracts/common";
import type { ToolEffect } from "@/contracts/tools";
import type { tools } from "@/db/schema";
import type { AnyTool, CallContext, ToolResult } from "@/server/tools/define-tool";
import { checkArguments, schemaFault } from "./argument-check";
import { cleanLine, cleanText } from "./clean-text";
import { completeSchema, primaryArgumentOf } from "./input-schema";
import type { UpstreamTool } from "./list-upstream-tools";
import { nameTools } from "./tool-names";

/** What a tool needs to know of its server. */
export type ToolServer = { id: string; alias: string; callTimeoutSeconds: number };

/** Runs an upstream tool, wherever its server's connection is at that moment. */
export type CallUpstream = (
  tool: { rawName: string; inputSchema: JsonObject; idempotent: boolean },
  args: JsonObject,
  context: CallContext,
) => Promise<ToolResult>;

const maxTitleCharacters = 120;
const maxDescriptionCharacters = 4_000;

/** Upstream tools as tools of ours. Schemas are compiled one at a time with pauses, so that a thousand block nobody. */
export async function describeTools(server: ToolServer, listed: readonly UpstreamTool[], call: CallUpstream): Promise<AnyTool[]> {
  const names = nameTools(
    server.alias,
    listed.map(({ name }) => name),
  );
  const described: AnyTool[] = [];
  for (const tool of listed) {
    const name = names.get(tool.name);
    if (name) described.push(describeTool(server, name, tool, call));
    await breathe();
  }
  return described;
}

function describeTool(server: ToolServer, name: string, listed: UpstreamTool, call: CallUpstream): AnyTool {
  const { schema, fault } = completeSchema(listed.inputSchema);
  const effect = effectOf(listed);
  const title =
    cleanLine(listed.title ?? listed.annotations?.title ?? "", maxTitleCharacters) || cleanLine(listed.name, maxTitleCharacters) || name;
  const compileFault = fault ?? schemaFault(schema);
  return makeTool(server, call, {
    name,
    title,
    description: cleanText(
      `[MCP server: ${server.alias}] ${cleanText(listed.description ?? "", maxDescriptionCharacters) || title}`,
      maxDescriptionCharacters,
    ),
    rawName: listed.name,
    effect,
    // The protocol gives the hint a meaning only for tools that change something.
    idempotent: effect === "read" || listed.annotations?.idempotentHint === true,
    primaryArgument: primaryArgumentOf(schema),
    inputSchema: schema,
    ...(compileFault ? { unavailableReason: `${name} cannot be called: ${compileFault}` } : {}),
  });
}

/** A tool as its row remembers it: what stands for the server's tools from the start until it is connected. */
export function toolOfRow(server: ToolServer, row: typeof tools.$inferSelect, call: CallUpstream): AnyTool {
  const { name, title, description, rawName, effect, idempotent, primaryArgument, inputSchema } = row;
  return makeTool(server, call, { name, title, description, rawName, effect, idempotent, primaryArgument, inputSchema });
}

type Described = Pick<
  AnyTool,
  "name" | "title" | "description" | "rawName" | "effect" | "idempotent" | "primaryArgument" | "inputSchema" | "unavailableReason"
>;

function makeTool(server: ToolServer, call: CallUpstream, described: Described): AnyTool {
  const { name, rawName, effect, idempotent, inputSchema } = described;
  return {
    ...described,
    source: "mcp",
    sourceRef: server.id,
    family: server.alias,
    defaultTier: "extension",
    needs: [],
    aliases: [],
    concurrencySafe: effect === "read",
    mode: "direct",
    backgroundable: false,
    dangerous: false,
    alwaysOn: false,
    neverSpilled: false,
    timeoutMs: server.callTimeoutSeconds * 1_000,
    parse: (args) => checkArguments(name, inputSchema, args),
    run: (args, context) => call({ rawName, inputSchema, idempotent }, args, context),
  };
}

/** MCP's own defaults: what is not said to be read-only changes things, and what is not said to be harmless destroys. */
function effectOf({ annotations }: UpstreamTool): ToolEffect {
  if (annotations?.readOnlyHint === true) return "read";
  return annotations?.destructiveHint === false ? "write" : "destroy";
}
