import type { JsonObject } from "@/contracts/common";
import type { AnyTool, ToolResult } from "@/server/tools/define-tool";
import { toolContext } from "./tool-context";

/** Parses the arguments as the pipeline does and runs the tool. @throws Error when the arguments do not fit. */
export async function runTool(tool: AnyTool, args: JsonObject, given: Parameters<typeof toolContext>[0]): Promise<ToolResult> {
  const parsed = tool.parse(args);
  if (!parsed.ok) throw new Error(parsed.message);
  const running = tool.run(parsed.value, toolContext({ timeoutMs: tool.timeoutMs, ...given }));
  if (Symbol.asyncIterator in running) throw new Error("A tool that works in steps is walked through, not awaited");
  return running;
}
