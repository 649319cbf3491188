import "server-only";
import { eq, sql } from "drizzle-orm";
import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { conversations } from "@/db/schema";
import { type ConversationRow, conversationChanged } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { builtinTool } from "./builtin-tools";
import { type DescribedArgument, describeArguments } from "./describe-arguments";
import type { ToolScope } from "./list-conversation-tools";
import type { RegisteredTool } from "./registered-tool";
import { describeTool } from "./search/describe-tool";

/** Returns the full documentation of a tool, and notes that the model has read it. @throws AppError `not_found` */
export async function documentTool(conversation: ConversationRow, scope: ToolScope, requestedName: string): Promise<string> {
  const described = await describeAndNote(conversation, scope, requestedName);
  const tool = toolOf(scope, requestedName);
  return tool ? `${described}\n\n${documentation(tool)}` : described;
}

/** Describes a tool as `describeTool`, and notes that the model has read it. @throws AppError `not_found` */
export async function describeAndNote(conversation: ConversationRow, scope: ToolScope, requestedName: string): Promise<string> {
  const described = await describeTool(conversation.workspaceId, scope, requestedName);
  const tool = toolOf(scope, requestedName);
  if (tool?.needsInfo && !scope.documented.has(tool.name)) await note(conversation.id, tool.name);
  return described;
}

const toolOf = (scope: ToolScope, requestedName: string): RegisteredTool | undefined => {
  const registered = scope.catalog.find(requestedName.trim());
  return registered && scope.effective.get(registered.name);
};

async function note(conversationId: string, toolName: string): Promise<void> {
  await db().transaction(async (tx) => {
    await tx
      .update(conversations)
      // The set is rewritten in the statement, because two tools may be read at once.
      .set({ documented: sql`coalesce(${conversations.documented}, '[]') - ${toolName}::text || ${JSON.stringify([toolName])}::jsonb` })
      .where(eq(conversations.id, conversationId));
    await signalOnCommit(tx, { topic: "conversation", conversationId });
  });
  conversationChanged(conversationId);
}

function documentation(tool: RegisteredTool): string {
  const described = describeArguments(tool.shownInputSchema);
  const needed = described.filter(({ isRequired }) => isRequired);
  const example = Object.fromEntries(needed.map(({ name, schema }) => [name, exampleOf(schema)]));
  const longer = tool.source === "builtin" ? builtinTool(tool.name)?.documentation : undefined;
  return [
    ...(longer ? [longer] : []),
    `Arguments of ${tool.name}:`,
    ...(described.length > 0 ? described.map(argumentLine) : ["- none"]),
    `Example: ${JSON.stringify({ name: tool.name, arguments: example })}`,
    `Other names: ${tool.aliases.join(", ") || "none"}`,
    `Touches: ${tool.needs.join(", ") || "nothing outside the conversation"}`,
    `Time limit: ${tool.effectiveTimeoutMs / 1_000} s${tool.backgroundable ? "; it may run in the background" : ""}`,
    `Results: ${tool.effectiveResultLimit === null ? "in pages of its own" : `at most ${tool.effectiveResultLimit.toLocaleString("en")} characters`}`,
  ].join("\n");
}

function argumentLine({ name, isRequired, type, limits, description }: DescribedArgument): string {
  const facts = [isRequired ? "required" : "optional", ...(type ? [type] : []), ...limits];
  return `- ${name} (${facts.join(", ")})${description ? `: ${description}` : ""}`;
}

/** Returns a value of the right type, so that a model sees the form of a call. */
function exampleOf(schema: Json): Json {
  if (!isJsonObject(schema)) return "...";
  const { type, enum: choices, minimum } = schema as JsonObject;
  if (Array.isArray(choices)) return choices[0] ?? "...";
  switch (type) {
    case "integer":
    case "number":
      return typeof minimum === "number" && minimum > Number.MIN_SAFE_INTEGER ? minimum : 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "...";
  }
}
