import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from "@modelcontextprotocol/client";
import { isAppError, messageOf } from "@/server/platform/errors";
import { cleanLine } from "./clean-text";

/** The chain of an error and its causes, outermost first. */
function* chainOf(error: unknown): Generator<unknown> {
  let current = error;
  for (let depth = 0; current !== undefined && current !== null && depth < 5; depth += 1) {
    yield current;
    current = current instanceof Error ? current.cause : undefined;
  }
}

/** Code that the operating system or the HTTP client gave an error or one of its causes: ENOENT, ECONNREFUSED ... */
export function systemCodeOf(error: unknown): string | null {
  for (const link of chainOf(error)) {
    if (
      link instanceof Error &&
      "code" in link &&
      typeof link.code === "string" &&
      /^(E[A-Z]{3,}|UND_[A-Z_]+|CERT_[A-Z_]+|[A-Z_]*CERT[A-Z_]*)$/.test(link.code)
    )
      return link.code;
  }
  return null;
}

/** Status of the HTTP answer that an error stands for. */
export function httpStatusOf(error: unknown): number | null {
  for (const link of chainOf(error)) {
    if (SdkHttpError.isInstance(link)) return link.status;
    if (link instanceof UnauthorizedError) return 401;
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

/** What went wrong between us and a server, in a sentence. */
export function explainFailure(error: unknown): string {
  if (isAppError(error)) return error.message;
  const status = httpStatusOf(error);
  if (status !== null) return statusSentences[status] ?? `The server answered with the HTTP status ${status}.`;
  const code = systemCodeOf(error);
  if (code) return systemSentences[code] ?? `The connection failed (${code}).`;
  if (ProtocolError.isInstance(error)) return `The server answered with an error: ${cleanLine(error.message, 500)}`;
  if (SdkError.isInstance(error)) {
    if (error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected)
      return "The server closed the connection.";
    if (error.code === SdkErrorCode.RequestTimeout) return "The server did not answer in time.";
    if (error.code === SdkErrorCode.InvalidResult) return "The server answered with something that is not MCP.";
  }
  // The HTTP client's own message says only that it failed.
  const messages = [...chainOf(error)].map(messageOf).filter((message) => message !== "fetch failed");
  return cleanLine(messages.join(": ") || messageOf(error), 500);
}
