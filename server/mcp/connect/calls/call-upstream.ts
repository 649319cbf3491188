import { type CallToolResult, ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import type { JsonObject } from "@/contracts/common";
import type { McpCure } from "@/contracts/mcp/mcp-servers";
import { AppError, isAppError } from "@/server/platform/errors";
import { type ToolResult, toolResult } from "@/server/tools/define-tool";
import { isScopeNeeded } from "../authorization/authorized-fetch";
import { linkedResources, readAnswer } from "../content/read-answer";
import { withNote } from "../content/with-note";
import { cureSentence } from "../program/find-cures";
import { explainFailure, findAnswerFault, findHttpStatus, findSystemCode } from "../session/explain-failure";
import type { Session, UpstreamCall } from "../session/session";
import { cleanLine, cleanText } from "../text/clean-text";
import { answerLostSentence } from "../transport/bounded-fetch";
import { sentData } from "../transport/sent-error";

const maxErrorCharacters = 4_000;
/** Key of a result's `_meta` under which programs find code and data of a server's protocol error. */
export const errorKey = "handrail/error";

export type CallOutcome =
  | { kind: "answered"; result: ToolResult }
  /** The server does not know the session any more, so the server cannot have run the call. */
  | { kind: "session_gone" }
  /** The sign-in has too narrow a scope, so the server ran nothing; the sentence names the scope. */
  | { kind: "scope_needed"; sentence: string }
  /** The connection failed before the answer; the sentence says how. `serverStopped`: the server's program ended. */
  | { kind: "transport_failed"; sentence: string; cause: unknown; serverStopped?: boolean };

/** The use of an answer. */
export type AnswerUse = {
  outputSchema?: JsonObject | null;
  /** Receives the URIs of the resources that the answer links to. */
  onLinks?: (uris: string[]) => Promise<void>;
  /** Receives what the sandbox kept from the server's program, as its failure tells. */
  onCures?: (cures: McpCure[]) => Promise<void>;
};

/**
 * Sends one call to a server.
 * @throws AppError `unavailable` when a retry would not help; the signal's reason when the call was aborted.
 */
export async function callUpstream(
  alias: string,
  session: Session,
  { outputSchema = null, onLinks, onCures, ...call }: UpstreamCall & AnswerUse,
): Promise<CallOutcome> {
  /** Tells the model what stood in the call's way, because the program blames the file or the port. */
  const withCures = async (result: ToolResult, words: string): Promise<ToolResult> => {
    const cures = session.findCures(words);
    if (cures.length === 0) return result;
    await onCures?.(cures);
    return withNote(result, `[${cureSentence(cures)}]`);
  };
  try {
    const answer = await session.callTool(call);
    const links = linkedResources(answer);
    if (links.length > 0) await onLinks?.(links);
    const result = readAnswer(answer, outputSchema);
    return { kind: "answered", result: answer.isError ? await withCures(result, wordsOf(answer)) : result };
  } catch (error) {
    call.signal.throwIfAborted();
    if (isScopeNeeded(error)) return { kind: "scope_needed", sentence: error.message };
    if (isAccessRefused(error)) {
      // The server ran nothing. The check finds out whether the whole connection needs a sign-in.
      void session.check();
      throw new AppError("unavailable", error.message, { cause: error });
    }
    const lost = session.lost();
    if (lost !== null) {
      const cures = session.findCures();
      if (cures.length > 0) await onCures?.(cures);
      const sentence = `${alias} stopped while the call was running. ${lost}${lastOutput(session, cures)}`;
      return { kind: "transport_failed", sentence, cause: error, serverStopped: session.hasStopped() };
    }
    // A person did not do what the server asked for.
    if (isAppError(error) && error.code === "conflict") throw error;
    if (isSessionGone(error)) return { kind: "session_gone" };
    const fault = findAnswerFault(error);
    if (fault !== null)
      throw new AppError("unavailable", `${alias}'s answer is not of the MCP protocol: ${fault} ${effectUnknown}`, { cause: error });
    const isAnswerLost = ProtocolError.isInstance(error) && error.message.includes(answerLostSentence);
    if (ProtocolError.isInstance(error) && !isAnswerLost) {
      // The server refused the call itself: this is an answer for the model, not a connection failure.
      return { kind: "answered", result: await withCures(refusedBy(error), error.message) };
    }
    void session.check();
    const sentence = `${alias} did not answer the call. ${isAnswerLost ? answerLostSentence : explainFailure(error)}`;
    if (isAnswerLost || isTransportFailure(error)) return { kind: "transport_failed", sentence, cause: error };
    throw new AppError("unavailable", `${sentence} ${effectUnknown}`, { cause: error });
  }
}

/** Tells the model what the server's protocol error says, and programs its code and data. */
function refusedBy(error: ProtocolError): ToolResult {
  const { code, message } = error;
  const data = sentData(error);
  const words = cleanText(message, maxErrorCharacters) || "The server refused the call.";
  return toolResult({
    isError: true,
    text: `${words}\n[MCP error ${code}${data === undefined ? "" : `, data: ${JSON.stringify(data)}`}]`,
    meta: { [errorKey]: { code, ...(data === undefined ? {} : { data }) } },
  });
}

const wordsOf = ({ content }: CallToolResult): string => content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");

const maxOutputCharacters = 600;

/** The end of what the program wrote before it stopped: usually its error. */
function lastOutput(session: Session, cures: readonly McpCure[]): string {
  const cure = cureSentence(cures);
  const output = session.stderr()?.slice(-maxOutputCharacters);
  return `${cure === "" ? "" : ` ${cure}`}${output ? ` It wrote last: ${asSentence(cleanLine(output, maxOutputCharacters))}` : ""}`;
}

/** Ends a program's words with a full stop, because sentences follow. */
const asSentence = (words: string): string => (/[.!?…]$/.test(words) ? words : `${words}.`);

export const effectUnknown = "Whether the call had an effect is not known: check before you send it again.";

/** Recognises a request that the server refused for lack of a sign-in. */
const isAccessRefused = (error: unknown): error is AppError => isAppError(error) && error.code === "forbidden";

/** Recognises an ended session. The protocol says 404; some servers answer 400 and mention the session. */
function isSessionGone(error: unknown): boolean {
  const status = findHttpStatus(error);
  return status === 404 || (status === 400 && error instanceof Error && /session/i.test(error.message));
}

function isTransportFailure(error: unknown): boolean {
  const status = findHttpStatus(error);
  if (status !== null) return status === 502 || status === 503 || status === 504;
  if (findSystemCode(error) !== null) return true;
  return SdkError.isInstance(error) && (error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected);
}
