import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, SseError, UnauthorizedError } from "@modelcontextprotocol/client";
import { isAppError, toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { cleanLine } from "../text/clean-text";
import { faultIn } from "../transport/answer-fault";

/** Yields an error and its causes, outermost first. */
function* chainOf(error: unknown): Generator<unknown> {
  let current = error;
  for (let depth = 0; current !== undefined && current !== null && depth < 5; depth += 1) {
    yield current;
    current = current instanceof Error ? current.cause : undefined;
  }
}

/** Finds the code of the operating system or the HTTP client in an error or its causes: ENOENT, ECONNREFUSED ... */
export function findSystemCode(error: unknown): string | null {
  for (const link of chainOf(error)) {
    if (
      link instanceof Error &&
      "code" in link &&
      typeof link.code === "string" &&
      /^(E[A-Z]{3,}|UND_[A-Z_]+|CERT_[A-Z_]+|[A-Z_]*CERT[A-Z_]*)$/.test(link.code)
    )
      return link.code;
    const inWords = codeInWords(link);
    if (inWords) return inWords;
  }
  return null;
}

/** Finds a code in the message of an event stream error, because the SDK keeps no cause there. */
function codeInWords(error: unknown): string | null {
  const words = error instanceof Error && error.message.startsWith("SSE error: ") ? error.message : "";
  return /\b(?:ECONN[A-Z]+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|UND_ERR_[A-Z_]+)\b/.exec(words)?.[0] ?? null;
}

/** Finds the HTTP status of the answer that caused an error. */
export function findHttpStatus(error: unknown): number | null {
  for (const link of chainOf(error)) {
    if (SdkHttpError.isInstance(link)) return link.status;
    if (link instanceof UnauthorizedError) return 401;
    if (SseError.isInstance(link) && link.code !== undefined && link.code >= 400) return link.code;
  }
  return null;
}

const systemSentences: Record<string, string> = {
  ECONNREFUSED: "Nothing listens at the server's address. Check the URL, and that the server runs.",
  ENOTFOUND: "The server's host name is not known. Check the URL.",
  EAI_AGAIN: "The server's host name could not be looked up. Check the network.",
  ECONNRESET: "The server closed the connection.",
  EPIPE: "The server closed the connection.",
  ETIMEDOUT: "The server's host did not answer in time. Check the URL and the network.",
  UND_ERR_CONNECT_TIMEOUT: "The server's host did not answer in time. Check the URL and the network.",
  UND_ERR_SOCKET: "The server closed the connection.",
};

const statusSentences: Record<number, string> = {
  401: "The server wants other credentials (401). Check the headers.",
  403: "The server refuses these credentials (403). Check the headers.",
  404: "There is no MCP server at this address (404). Check the URL's path.",
  405: "The server does not take MCP requests at this address (405). Check the URL's path and the transport.",
};

/** Finds what is wrong with an answer that is not of the protocol; null for other errors. */
export function findAnswerFault(error: unknown): string | null {
  for (const link of chainOf(error)) {
    if (ProtocolError.isInstance(link)) return faultIn(link.message);
    if (SdkError.isInstance(link) && link.code === SdkErrorCode.InvalidResult) return "its result has another form.";
  }
  return null;
}

/** Explains in a sentence why a connection to a server failed. */
export function explainFailure(error: unknown): string {
  // The SDK wraps what `fetch` threw.
  const own = [...chainOf(error)].find(isAppError);
  if (own) return own.message;
  const status = findHttpStatus(error);
  if (status !== null) return statusSentences[status] ?? `The server answered with the HTTP status ${status}.`;
  const code = findSystemCode(error);
  if (code) return systemSentences[code] ?? `The connection failed (${code}).`;
  const fault = findAnswerFault(error);
  if (fault !== null) return `The server's answer is not of the MCP protocol: ${fault}`;
  if (ProtocolError.isInstance(error)) return `The server answered with an error: ${cleanLine(error.message, 500)}`;
  if (SdkError.isInstance(error)) {
    if (error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected)
      return "The server closed the connection.";
    if (error.code === SdkErrorCode.RequestTimeout) return "The server did not answer in time.";
  }
  const version = versionIn(error);
  if (version !== null) return `The server speaks a version of MCP that Handrail does not know: ${cleanLine(version, 100)}.`;
  const known = knownWords(error);
  return known ? cleanLine(known, 500) : explainOwnFailure(error);
}

/** Explains a failure inside Handrail, such as a database that refuses connections, without blaming the server. */
export function explainOwnFailure(error: unknown): string {
  if (isAppError(error)) return error.message;
  log().error({ err: error }, "an MCP server could not be connected for a reason that is not known");
  return "An unexpected error ended the attempt. The log of Handrail has its details.";
}

/** Finds the protocol version that a server answered to `initialize` and that the SDK refused. */
function versionIn(error: unknown): string | null {
  return error instanceof Error ? (/^Server's protocol version is not supported: (.*)$/s.exec(error.message)?.[1] ?? null) : null;
}

/** Tells whether an answer of the server ended the attempt, so the server was reachable. */
export function isAnswer(error: unknown): boolean {
  return ProtocolError.isInstance(error) || versionIn(error) !== null;
}

/**
 * Returns the messages of the SDK, the HTTP client or the operating system. Messages of the database or of Handrail's own
 * code are not shown to people.
 */
function knownWords(error: unknown): string | null {
  const chain = [...chainOf(error)];
  const isTheirs = chain.some(
    (link) =>
      SdkError.isInstance(link) ||
      SseError.isInstance(link) ||
      (link instanceof Error && (link.message === "fetch failed" || isArgumentFault(link))),
  );
  // The HTTP client's message "fetch failed" gives no reason.
  const messages = chain.map(toErrorMessage).filter((message) => message !== "fetch failed");
  return isTheirs && messages.length > 0 ? messages.join(": ") : null;
}

function isArgumentFault(error: Error): boolean {
  return "code" in error && typeof error.code === "string" && error.code.startsWith("ERR_INVALID_ARG");
}
