import type { JsonObject } from "@/contracts/common";
import { readEvent, readSession, reasonOr } from "./claude-code";
import { type Dialect, nothing } from "./dialect";

/**
 * Codex discards an answer with one member that it does not know, a denial without a reason and a bare permission, and then
 * runs the command. So there are three answers: nothing, a denial with its reason, and a permission with other arguments.
 */
export const codex: Dialect = {
  client: "codex",
  session: readSession,
  event: readEvent,
  answerAsk: ({ verdict, reason, input }): JsonObject => {
    if (verdict === "allow" && !input) return nothing;
    if (verdict === "allow" && input) {
      return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", updatedInput: input } };
    }
    return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reasonOr(reason) } };
  },
  answerPermission: ({ verdict, reason, input }): JsonObject => {
    // It takes no other arguments here, and the call must not run with those that a person changed.
    if (verdict === "allow" && !input)
      return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } } };
    const message = verdict === "allow" ? "A person changed this call. Send it again as it was changed." : reasonOr(reason);
    return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "deny", message } } };
  },
  answerResult: ({ text, context }): JsonObject => {
    if (text !== null) return { decision: "block", reason: context ? `${text}\n\n${context}` : text };
    return context ? { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: context } } : nothing;
  },
};
