import type { JsonObject } from "@/contracts/common";
import { nativeInput } from "../native/native-tool";
import { reasonOr } from "./claude-code";
import { type Dialect, type NativeEvent, nothing, numberAt, resultText, textAt } from "./dialect";

/** The project is the first of the folders that are open. */
function folderOf(body: JsonObject): string | null {
  const [first] = Array.isArray(body.workspace_roots) ? body.workspace_roots : [];
  return typeof first === "string" ? first : textAt(body, "cwd");
}

function commandOf(body: JsonObject): JsonObject {
  const cwd = textAt(body, "cwd");
  return { command: textAt(body, "command") ?? "", ...(cwd ? { cwd } : {}) };
}

function eventOf(body: JsonObject): NativeEvent {
  const callId = textAt(body, "tool_use_id");
  switch (textAt(body, "hook_event_name")) {
    case "beforeShellExecution":
      return { kind: "ask", callId, tool: "Shell", input: commandOf(body) };
    case "beforeReadFile":
      return { kind: "ask", callId, tool: "Read", input: { file_path: textAt(body, "file_path") ?? "" } };
    case "beforeMCPExecution":
      return { kind: "ask", callId, tool: textAt(body, "tool_name") ?? "MCP", input: nativeInput(body.tool_input) };
    case "preToolUse":
      return { kind: "ask", callId, tool: textAt(body, "tool_name") ?? "", input: nativeInput(body.tool_input) };
    case "afterShellExecution": {
      const durationMs = numberAt(body, "duration");
      const response = body.output ?? null;
      const about = { callId, tool: "Shell", input: commandOf(body), response, text: resultText(response) };
      return { kind: "result", status: "succeeded", ...about, ...(durationMs === undefined ? {} : { durationMs }) };
    }
    case "postToolUse": {
      const response = body.tool_output ?? body.tool_response ?? null;
      const about = { callId, tool: textAt(body, "tool_name") ?? "", input: nativeInput(body.tool_input) };
      return { kind: "result", status: "succeeded", ...about, response, text: resultText(response) };
    }
    case "sessionStart":
      return { kind: "start" };
    case "sessionEnd":
      return { kind: "end" };
    default:
      return { kind: "notice" };
  }
}

/** Cursor's hooks as its documentation describes them. */
export const cursor: Dialect = {
  client: "cursor",
  session: (body) => {
    const session = textAt(body, "conversation_id");
    const cwd = folderOf(body);
    return session === null || cwd === null ? null : { session, cwd };
  },
  event: eventOf,
  answerAsk: ({ verdict, reason, input }): JsonObject => {
    if (verdict === "allow" && !input) return { permission: "allow" };
    // Its answer has no place for other arguments, so a changed call is told to the model in place of being run.
    const said = input ? `A person changed this call. Send it again as ${JSON.stringify(input)}` : reasonOr(reason);
    return { permission: "deny", user_message: said, agent_message: said };
  },
  answerResult: (): JsonObject => nothing,
};
