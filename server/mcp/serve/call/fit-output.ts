import "server-only";
import type { CallToolResult, Server } from "@modelcontextprotocol/server";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { loadCatalog } from "@/server/tools/catalog";
import { declaredOutput } from "@/server/tools/pins/pin-columns";
import type { McpClient } from "../client/mcp-client";

/** Finds the output schema that a tool was listed with; null for a tool without one. */
export async function findOutputSchema({ actor }: McpClient, toolName: string): Promise<JsonObject | null> {
  const tool = (await loadCatalog(actor.workspaceId)).find(toolName);
  return tool ? declaredOutput(tool) : null;
}

/**
 * Makes a result fit the tool's listed output schema. SDK clients refuse a result without structured content unless it is an
 * error, and an answer that names an approval has none.
 */
export function fitOutput(server: Server, result: CallToolResult, outputSchema: JsonObject | null): CallToolResult {
  if (!outputSchema) return server.projectCallToolResult(result, undefined);
  if (result.structuredContent === undefined) return { ...result, isError: true };
  const structuredContent = unwrapped(result.structuredContent, outputSchema) as JsonObject;
  return server.projectCallToolResult({ ...result, structuredContent }, outputSchema);
}

/** A list or plain value is kept in an object with the one member `result`; the protocol's revision decides its form again. */
function unwrapped(content: unknown, { type }: JsonObject): unknown {
  const isWrapped = type !== "object" && isJsonObject(content) && Object.keys(content).join() === "result";
  return isWrapped ? content.result : content;
}
