import type { JsonObject } from "@/contracts/common";
import { analyzeCallIfReadable } from "@/server/guard/call/analyzed-call";
import { computeCallShape } from "@/server/guard/call/call-shape";
import { runsCommands } from "@/server/guard/call/tool-facts";
import type { RegisteredTool } from "@/server/tools/registered-tool";
import { toGuardContext } from "../guard-context";
import type { TurnContext } from "../turn-context";

/** Returns a call without its literals, by which the inbox groups calls of one kind. */
export function shapeOf(context: TurnContext, tool: RegisteredTool, args: JsonObject): string {
  const request = { tool, arguments: args, context: toGuardContext(context) };
  return computeCallShape(request, runsCommands(tool) ? analyzeCallIfReadable(request, context.policy.sensitivePaths) : null);
}
