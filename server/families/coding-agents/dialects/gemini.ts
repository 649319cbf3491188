import type { JsonObject } from "@/contracts/common";
import { nativeInput } from "../native/native-tool";
import { readSession, reasonOr } from "./claude-code";
import { type Dialect, nothing, objectAt, resultText, textAt } from "./dialect";

/** Gemini CLI joins server and tool by `_`, which both may hold; the context of the call names them apart. */
function toolOf(body: JsonObject): string {
  const context = objectAt(body, "mcp_context");
  const server = textAt(context, "server_name");
  const tool = textAt(context, "tool_name");
  return server && tool ? `${server}__${tool}` : (textAt(body, "tool_name") ?? "");
}

export const gemini: Dialect = {
  client: "gemini",
  session: readSession,
  event: (body) => {
    const about = { callId: null, tool: toolOf(body), input: nativeInput(body.tool_input) };
    switch (textAt(body, "hook_event_name")) {
      case "BeforeTool":
        return about.tool === "" ? { kind: "notice" } : { kind: "ask", ...about };
      case "AfterTool": {
        const response = body.tool_response ?? null;
        const isFailed = "error" in objectAt(body, "tool_response") && objectAt(body, "tool_response").error != null;
        return { kind: "result", ...about, status: isFailed ? "failed" : "succeeded", text: resultText(response), response };
      }
      case "SessionStart":
        return { kind: "start" };
      case "SessionEnd":
        return { kind: "end" };
      default:
        return { kind: "notice" };
    }
  },
  // It hangs on `ask` without a keyboard, so an open question is never answered with it.
  answerAsk: ({ verdict, reason, input }): JsonObject => {
    if (verdict !== "allow") return { decision: "deny", reason: reasonOr(reason) };
    return input ? { hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: input } } : nothing;
  },
  answerResult: ({ text, context }): JsonObject => {
    if (text !== null) return { decision: "deny", reason: context ? `${text}\n\n${context}` : text };
    return context ? { hookSpecificOutput: { hookEventName: "AfterTool", additionalContext: context } } : nothing;
  },
};
