import type { JsonObject } from "@/contracts/common";
import { nativeInput } from "../native/native-tool";
import { reasonOr } from "./claude-code";
import { type Dialect, nothing, resultText, textAt } from "./dialect";

/** The language of Handrail's plugin for opencode, which has no hooks outside of its own process. */
export const opencode: Dialect = {
  client: "opencode",
  session: (body) => {
    const session = textAt(body, "sessionID");
    const cwd = textAt(body, "directory");
    if (session === null || cwd === null) return null;
    const parent = textAt(body, "parentID");
    const home = textAt(body, "home");
    return { session: parent ?? session, cwd, ...(parent ? { agent: { id: session } } : {}), ...(home ? { home } : {}) };
  },
  event: (body) => {
    const about = { callId: textAt(body, "callID"), tool: textAt(body, "tool") ?? "", input: nativeInput(body.args) };
    switch (textAt(body, "event")) {
      case "before":
        return about.tool === "" ? { kind: "notice" } : { kind: "ask", ...about };
      case "after":
        return { kind: "result", ...about, status: "succeeded", text: resultText(body.output), response: body.output ?? null };
      case "start":
        return { kind: "start" };
      case "end":
        return { kind: "end" };
      default:
        return { kind: "notice" };
    }
  },
  answerAsk: ({ verdict, reason, input }): JsonObject =>
    verdict === "allow" ? { decision: "allow", ...(input ? { args: input } : {}) } : { decision: "deny", reason: reasonOr(reason) },
  answerResult: ({ text, context }, event): JsonObject => {
    if (text === null && !context) return nothing;
    const shown = text ?? event.text;
    return { output: context ? `${shown}\n\n${context}` : shown };
  },
};
