import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { JsonObject } from "@/contracts/common";
import type { ToolEffect } from "@/contracts/tools";
import type { tools } from "@/db/schema";
import type { AnyTool, ToolCallContext, ToolResult } from "@/server/tools/define-tool";
import { checkArguments, schemaFault } from "./argument-check";
import { cleanLine, cleanText } from "./clean-text";
import { completeSchema, findPrimaryArgument } from "./input-schema";
import type { UpstreamTool } from "./list-upstream-tools";
import { nameTools } from "./tool-names";

/** The part of a server that its tools need. */
export type ToolServer = { id: string; alias: string; callTimeoutSeconds: number };

/** Runs an upstream tool through the server's current session. */
export type CallUpstream = (
  tool: { rawName: string; inputSchema: JsonObject; idempotent: boolean },
  args: JsonObject,
  context: ToolCallContext,
) => Promise<ToolResult>;

const maxTitleCharacters = 120;
const maxDescriptionCharacters = 4_000;

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
    // In MCP, `idempotentHint` has a meaning only for tools that change something.
    idempotent: effect === "read" || listed.annotations?.idempotentHint === true,
    primaryArgument: findPrimaryArgument(schema),
    inputSchema: schema,
    ...(compileFault ? { unavailableReason: `${name} cannot be called: ${compileFault}` } : {}),
  });
}

/** Makes a tool from its row, for the time between the start and the server's connection. */
export function toolFromRow(server: ToolServer, row: typeof tools.$inferSelect, call: CallUpstream): AnyTool {
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
    run: (args, context) => call({ rawName, inputSchema, idempotent: idempotent && context.mayRepeat !== false }, args, context),
  };
}

/** Derives the effect with MCP's defaults: without `readOnlyHint` a tool changes things; without a hint it may destroy. */
function effectOf({ annotations }: UpstreamTool): ToolEffect {
  if (annotations?.readOnlyHint === true) return "read";
  return annotations?.destructiveHint === false ? "write" : "destroy";
}
