import { setTimeout as wait } from "node:timers/promises";
import { type AuthProfileOfTool, addCredential, withoutCredential } from "@/server/capabilities/auth-profiles/credential";
import type { HttpAnswer, HttpCapability } from "@/server/capabilities/network/http";
import { cleanResult } from "@/server/mcp/connect/text/clean-result";
import { AppError, isAppError } from "@/server/platform/errors";
import { type RichResult, type ToolCallContext, toolResult } from "@/server/tools/define-tool";
import type { BuiltRequest } from "./build-request";

const maxBytes = 2 * 1_048_576;
const maxAttempts = 3;
const firstPauseMs = 250;
const maxPauseMs = 5_000;
/** Statuses of a server that may answer a repetition. */
const passing = new Set([429, 502, 503, 504]);
const effectUnknown = "Whether the request had an effect is not known: check before you send it again.";

type Sending = { request: BuiltRequest; profile: AuthProfileOfTool | null; idempotent: boolean };
type Answered = HttpAnswer & { bytes: Uint8Array; truncated: boolean };

/**
 * Sends a request and returns the answer as a result. Only an idempotent request is repeated, when the connection fails
 * or the server is busy.
 */
export async function sendRequest(
  { request, profile, idempotent }: Sending,
  { http, signal }: { http: HttpCapability; signal: ToolCallContext["signal"] },
): Promise<RichResult> {
  const { url, ownHeaders, secrets } = addCredential(request.url, profile);
  const { method, headers, body } = request;
  const send = () =>
    // A redirect of a request that changes something is answered, not followed.
    http.fetch(url, {
      method,
      headers,
      ownHeaders,
      ...(body === undefined ? {} : { body }),
      signal,
      maxBytes,
      followRedirects: idempotent,
    });
  // Not `retry`, because the pause follows Retry-After, and the last busy answer is a result.
  for (let attempt = 1; ; attempt += 1) {
    const mayRepeat = idempotent && attempt < maxAttempts;
    try {
      const answer = await send();
      if (!mayRepeat || !passing.has(answer.status)) return resultOf(answer, secrets);
      await wait(pauseAfter(attempt, answer.headers["retry-after"]), undefined, { signal });
    } catch (error) {
      if (signal.aborted || !isAppError(error)) throw error;
      const isPassing = error.code === "unavailable" || error.code === "timed_out";
      const ending = isPassing && !idempotent ? ` ${effectUnknown}` : "";
      if (!isPassing || !mayRepeat) throw new AppError(error.code, withoutCredential(error.message, secrets) + ending);
      await wait(pauseAfter(attempt), undefined, { signal });
    }
  }
}

function pauseAfter(attempt: number, retryAfter?: string): number {
  const asked = Number(retryAfter) * 1_000;
  const pause = Number.isFinite(asked) && asked > 0 ? asked : firstPauseMs * 2 ** attempt;
  return Math.min(pause, maxPauseMs) * (0.75 + Math.random() / 4);
}

function resultOf({ status, headers, bytes, truncated }: Answered, secrets: readonly string[]): RichResult {
  const isError = status >= 300 || status < 200;
  const head = `HTTP ${status}${headers.location ? `, Location: ${headers.location}` : ""}`;
  const mediaType = headers["content-type"] ?? "";
  if (bytes.length > 0 && !isText(mediaType)) {
    const plain = mediaType.split(";")[0]?.trim() || "application/octet-stream";
    const text = `${head}, ${plain}, ${bytes.length.toLocaleString("en")} bytes${truncated ? " (cut)" : ""}`;
    return toolResult({
      text: withoutCredential(text, secrets),
      isError,
      ...(truncated ? {} : { files: [{ name: "answer", mediaType: plain, bytes }] }),
    });
  }
  const written = cleanResult(decode(bytes, mediaType));
  const cut = truncated ? `\n[Cut after ${maxBytes.toLocaleString("en")} bytes.]` : "";
  const text = isError ? `${head}\n${written}`.trimEnd() : written.trim() === "" ? head : written;
  return toolResult({ text: withoutCredential(text + cut, secrets), isError });
}

const isText = (mediaType: string): boolean =>
  mediaType === "" ||
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|x-www-form-urlencoded|yaml|javascript|graphql|x-ndjson))/i.test(mediaType);

function decode(bytes: Uint8Array, mediaType: string): string {
  const charset = /charset="?([\w-]+)/i.exec(mediaType)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
