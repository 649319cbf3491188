import { isRichResult, type ToolResult, toolResult } from "@/server/tools/define-tool";

/** Puts a note for the model in front of a result. */
export function withNote(result: ToolResult, note: string): ToolResult {
  if (isRichResult(result)) return toolResult({ ...result, text: `${note}\n${result.text}` });
  return `${note}\n${typeof result === "string" ? result : JSON.stringify(result)}`;
}
