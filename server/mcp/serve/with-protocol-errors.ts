import "server-only";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { type ErrorCode, isAppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";

const callerErrors: readonly ErrorCode[] = ["not_found", "invalid", "malformed", "idempotency_mismatch", "conflict", "forbidden"];

/** Runs a handler; errors reach the client with a sentence, and unexpected ones without details. */
export async function withProtocolErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (isAppError(error)) {
      const code = callerErrors.includes(error.code) ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
      throw new ProtocolError(code, error.message, { code: error.code });
    }
    log().error({ err: error }, "an MCP request failed");
    throw new ProtocolError(ProtocolErrorCode.InternalError, "Something went wrong here. Try again, or tell an admin.");
  }
}
