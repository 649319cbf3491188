import { ProtocolError } from "@modelcontextprotocol/client";
import { AppError } from "@/server/platform/errors";
import { type ToolResult, toolResult } from "@/server/tools/define-tool";
import { cleanText } from "./clean-text";
import { explainFailure, httpStatusOf } from "./explain-failure";
import { readAnswer } from "./read-answer";
import type { Session, UpstreamCall } from "./session";

const maxErrorCharacters = 4_000;

/** What became of a call. `session_gone`: the server does not know our session any more, so it cannot have run it. */
export type CallOutcome = { kind: "answered"; result: ToolResult } | { kind: "session_gone" };

/**
 * Sends one call to a server.
 * @throws AppError `unavailable` when the connection ends before the answer, `timed_out` when nobody stopped waiting.
 */
export async function callUpstream(alias: string, session: Session, call: UpstreamCall): Promise<CallOutcome> {
  try {
    return { kind: "answered", result: readAnswer(await session.callTool(call)) };
  } catch (error) {
    call.signal.throwIfAborted();
    const lost = session.lost();
    if (lost === null && isSessionGone(error)) return { kind: "session_gone" };
    if (lost === null && ProtocolError.isInstance(error)) {
      // The server looked at the call and refused it: an answer for the model, not a failure between us.
      return {
        kind: "answered",
        result: toolResult({ isError: true, text: cleanText(error.message, maxErrorCharacters) || "The server refused the call." }),
      };
    }
    if (lost === null) void session.check();
    const what = lost === null ? "did not answer the call" : "stopped while the call was running";
    throw new AppError(
      "unavailable",
      `${alias} ${what}. ${lost ?? explainFailure(error)} Whether the call had an effect is not known: check before you send it again.`,
      { cause: error },
    );
  }
}

/** 404 is what the protocol says for a session that ended; some servers say 400 and name the session. */
function isSessionGone(error: unknown): boolean {
  const status = httpStatusOf(error);
  return status === 404 || (status === 400 && error instanceof Error && /session/i.test(error.message));
}
