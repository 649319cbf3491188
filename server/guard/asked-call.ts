import type { ActorRef, JsonObject } from "@/contracts/common";
import type { ConversationOrigin } from "@/contracts/conversations";
import type { Tool, ToolEffect, ToolSource } from "@/contracts/tools";
import type { TrustClass } from "@/contracts/trust";
import type { Refusal } from "@/db/schema";

/** What the guard has to know about a tool. */
export type GuardedTool = {
  name: string;
  source: ToolSource;
  /** Id of the MCP server it comes from. */
  sourceRef: string | null;
  effect: ToolEffect;
  surface: Tool["surface"];
  needs: readonly string[];
  /** The argument that says what the call is about: a command, a path, a URL. */
  primaryArgument: string | null;
  /** Only callers of this trust class or a higher one. */
  requiredTrust?: TrustClass | null;
};

/** A call before it runs, with the parsed arguments that it would run with. */
export type AskedCall = {
  tool: GuardedTool;
  arguments: JsonObject;
  context: CallContext;
};

/** Where a call comes from. What is absent is not known: a rule that asks for it cannot be evaluated. */
export type CallContext = {
  /** A person can be asked while the call waits. */
  interactive: boolean;
  conversationId?: string;
  agent?: { id: string; name: string };
  /** null: the conversation has none. */
  channel?: string | null;
  /** Who submitted the call. */
  actor?: Pick<ActorRef, "type"> & Partial<ActorRef>;
  origin?: ConversationOrigin;
  /** Absolute path of the folder that file and shell tools see as `.`; without it, every absolute path lies outside. */
  folder?: string;
  /** Calls that were refused in the conversation, the oldest first. */
  refusals?: readonly Refusal[];
  /** Effects that calls of the agent, or with the key, may have at most; all where nothing is said. */
  limits?: readonly { whose: string; effects: readonly ToolEffect[] }[];
  /** Where the caller stands. */
  trust?: TrustClass;
};

/** The text that a shell would run, for a tool that has one; null for every other tool. */
export function shellCommandOf({ tool, arguments: args }: Pick<AskedCall, "tool" | "arguments">): string | null {
  const { primaryArgument } = tool;
  if (!tool.needs.includes("shell") || primaryArgument === null || !Object.hasOwn(args, primaryArgument)) return null;
  const command = args[primaryArgument];
  return typeof command === "string" ? command : null;
}
