import { ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { AppError } from "@/server/platform/errors";
import { type ToolResult, toolResult } from "@/server/tools/define-tool";
import { answerLostSentence } from "./bounded-fetch";
import { cleanText } from "./clean-text";
import { explainFailure, httpStatusOf, systemCodeOf } from "./explain-failure";
import { readAnswer } from "./read-answer";
import type { Session, UpstreamCall } from "./session";

const maxErrorCharacters = 4_000;

export type CallOutcome =
  | { kind: "answered"; result: ToolResult }
  /** The server does not know our session any more, so it cannot have run the call. */
  | { kind: "session_gone" }
  /** The connection failed before the answer was there; the sentence says how. */
  | { kind: "transport_failed"; sentence: string; cause: unknown };

/**
 * Sends one call to a server.
 * @throws AppError `unavailable` when it failed in a way that another attempt would not change; the signal's reason when
 * nobody waits any more.
 */
export async function callUpstream(alias: string, session: Session, call: UpstreamCall): Promise<CallOutcome> {
  try {
    return { kind: "answered", result: readAnswer(await session.callTool(call)) };
  } catch (error) {
    call.signal.throwIfAborted();
    const lost = session.lost();
    if (lost !== null) return { kind: "transport_failed", sentence: `${alias} stopped while the call was running. ${lost}`, cause: error };
    if (isSessionGone(error)) return { kind: "session_gone" };
    const isAnswerLost = ProtocolError.isInstance(error) && error.message.includes(answerLostSentence);
    if (ProtocolError.isInstance(error) && !isAnswerLost) {
      // The server looked at the call and refused it: an answer for the model, not a failure between us.
      return {
        kind: "answered",
        result: toolResult({ isError: true, text: cleanText(error.message, maxErrorCharacters) || "The server refused the call." }),
      };
    }
    void session.check();
    const sentence = `${alias} did not answer the call. ${isAnswerLost ? answerLostSentence : explainFailure(error)}`;
    if (isAnswerLost || isTransportFailure(error)) return { kind: "transport_failed", sentence, cause: error };
    throw new AppError("unavailable", `${sentence} ${effectUnknown}`, { cause: error });
  }
}

export const effectUnknown = "Whether the call had an effect is not known: check before you send it again.";

/** 404 is what the protocol says for a session that ended; some servers say 400 and name the session. */
function isSessionGone(error: unknown): boolean {
  const status = httpStatusOf(error);
  return status === 404 || (status === 400 && error instanceof Error && /session/i.test(error.message));
}

function isTransportFailure(error: unknown): boolean {
  const status = httpStatusOf(error);
  if (status !== null) return status === 502 || status === 503 || status === 504;
  if (systemCodeOf(error) !== null) return true;
  return SdkError.isInstance(error) && (error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected);
}
