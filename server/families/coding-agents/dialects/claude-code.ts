import type { JsonObject } from "@/contracts/common";
import { nativeInput } from "../native/native-tool";
import { type Dialect, mcpName, type NativeEvent, type NativeSession, nothing, numberAt, resultText, textAt } from "./dialect";

/** Reads who asks. Claude Code and Codex name these members alike. */
export function readSession(body: JsonObject): NativeSession | null {
  const session = textAt(body, "session_id");
  const cwd = textAt(body, "cwd");
  if (session === null || cwd === null) return null;
  const agentId = textAt(body, "agent_id");
  const agentType = textAt(body, "agent_type");
  // Its transcripts lie in the home, and no other member says where that is.
  const home = /^(\/.+?)\/\.(?:claude|codex|gemini)\//.exec(textAt(body, "transcript_path") ?? "")?.[1];
  return {
    session,
    cwd,
    ...(agentId ? { agent: { id: agentId, ...(agentType ? { type: agentType } : {}) } } : {}),
    ...(home ? { home } : {}),
  };
}

/** Reads an event of Claude Code or Codex. */
export function readEvent(body: JsonObject): NativeEvent {
  const tool = mcpName(textAt(body, "tool_name") ?? "");
  const about = { callId: textAt(body, "tool_use_id"), tool, input: nativeInput(body.tool_input) };
  const event = textAt(body, "hook_event_name");
  if (event === "SessionStart") return { kind: "start" };
  if (event === "SessionEnd") return { kind: "end" };
  if (tool === "") return { kind: "notice" };
  switch (event) {
    case "PreToolUse":
      return { kind: "ask", ...about };
    case "PermissionRequest":
      return { kind: "permission", ...about };
    case "PostToolUse":
    case "PostToolUseFailure": {
      const response = body.tool_response ?? body.error ?? null;
      const durationMs = numberAt(body, "duration_ms");
      const status = event === "PostToolUse" ? "succeeded" : "failed";
      return {
        kind: "result",
        ...about,
        status,
        text: resultText(response),
        response,
        ...(durationMs === undefined ? {} : { durationMs }),
      };
    }
    default:
      return { kind: "notice" };
  }
}

const preToolUse = (permissionDecision: string, rest: JsonObject): JsonObject => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, ...rest },
});

/** A denial needs a reason, in every client. */
export const reasonOr = (reason: string): string => (reason.trim() === "" ? "Denied by policy." : reason);

export const claudeCode: Dialect = {
  client: "claude-code",
  asksAtDesk: true,
  defers: true,
  session: readSession,
  event: readEvent,
  answerAsk: ({ verdict, reason, input, context }): JsonObject => {
    const because = { permissionDecisionReason: reasonOr(reason) };
    switch (verdict) {
      case "allow":
        return preToolUse("allow", {
          ...because,
          ...(input ? { updatedInput: input } : {}),
          ...(context ? { additionalContext: context } : {}),
        });
      case "ask":
        return preToolUse("ask", because);
      case "pending":
        return preToolUse("defer", because);
      case "deny":
        return preToolUse("deny", because);
    }
  },
  answerPermission: ({ verdict, reason, input }): JsonObject => {
    if (verdict !== "allow" && verdict !== "deny") return nothing;
    const decision: JsonObject =
      verdict === "allow"
        ? { behavior: "allow", ...(input ? { updatedInput: input } : {}) }
        : { behavior: "deny", message: reasonOr(reason) };
    return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
  },
  answerResult: ({ masked, context }, _event, body): JsonObject => {
    if (masked === null && !context) return nothing;
    const hookEventName = textAt(body, "hook_event_name") ?? "PostToolUse";
    return {
      hookSpecificOutput: {
        hookEventName,
        ...(masked === null ? {} : { updatedToolOutput: masked }),
        ...(context ? { additionalContext: context } : {}),
      },
    };
  },
};
