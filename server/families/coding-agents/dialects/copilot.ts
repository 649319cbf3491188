import type { JsonObject } from "@/contracts/common";
import { nativeInput } from "../native/native-tool";
import { reasonOr } from "./claude-code";
import { type Dialect, nothing, objectAt, resultText, textAt } from "./dialect";

/** Copilot CLI names no event before and after a call, so the members of the body say which one it is. */
export const copilot: Dialect = {
  client: "copilot",
  session: (body) => {
    const session = textAt(body, "sessionId");
    const cwd = textAt(body, "cwd");
    if (session === null || cwd === null) return null;
    const parent = textAt(body, "parentAgentId");
    return parent ? { session: parent, cwd, agent: { id: session } } : { session, cwd };
  },
  event: (body) => {
    const about = { callId: null, tool: textAt(body, "toolName") ?? "", input: nativeInput(body.toolArgs ?? body.toolInput) };
    if (textAt(body, "hookName") === "permissionRequest") return { kind: "permission", ...about };
    if (about.tool !== "" && (body.toolResult !== undefined || body.error !== undefined)) {
      const response = body.toolResult ?? body.error ?? null;
      const isFailed = body.error !== undefined || textAt(objectAt(body, "toolResult"), "resultType") === "failure";
      return { kind: "result", ...about, status: isFailed ? "failed" : "succeeded", text: resultText(response), response };
    }
    if (about.tool !== "") return { kind: "ask", ...about };
    if (body.source !== undefined || body.initialPrompt !== undefined) return { kind: "start" };
    return { kind: body.reason === undefined ? "notice" : "end" };
  },
  answerAsk: ({ verdict, reason, input, context }): JsonObject =>
    verdict === "allow"
      ? {
          permissionDecision: "allow",
          permissionDecisionReason: reasonOr(reason),
          ...(input ? { modifiedArgs: input } : {}),
          ...(context ? { additionalContext: context } : {}),
        }
      : { permissionDecision: "deny", permissionDecisionReason: reasonOr(reason) },
  answerPermission: ({ verdict, reason, input }): JsonObject => {
    if (verdict === "allow" && !input) return { behavior: "allow" };
    return {
      behavior: "deny",
      message: verdict === "allow" ? "A person changed this call. Send it again as it was changed." : reasonOr(reason),
    };
  },
  answerResult: ({ text }, { status }): JsonObject =>
    text === null ? nothing : { modifiedResult: { resultType: status === "succeeded" ? "success" : "failure", textResultForLlm: text } },
};
