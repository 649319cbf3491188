import type { JsonObject } from "@/contracts/common";
import type { Tool, ToolEffect, ToolSource } from "@/contracts/tools";

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
};

/** A call before it runs, with the parsed arguments that it would run with. */
export type AskedCall = {
  tool: GuardedTool;
  arguments: JsonObject;
  context: {
    /** A person can be asked while the call waits. */
    interactive: boolean;
  };
};

/** The text that a shell would run, for a tool that has one; null for every other tool. */
export function shellCommandOf({ tool, arguments: args }: Pick<AskedCall, "tool" | "arguments">): string | null {
  const { primaryArgument } = tool;
  if (!tool.needs.includes("shell") || primaryArgument === null || !Object.hasOwn(args, primaryArgument)) return null;
  const command = args[primaryArgument];
  return typeof command === "string" ? command : null;
}
