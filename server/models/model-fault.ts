import "server-only";
import { AISDKError, APICallError } from "@ai-sdk/provider";
import { type AppError, isAppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import type { ProviderAccess } from "./make-language-model";
import { BrokenAnswer } from "./read-answer";

/** Why one model did not answer, as a sentence for people. */
export class ModelFault extends Error {
  constructor(
    sentence: string,
    readonly mayRecover: boolean,
    readonly retryAfterSeconds: number | null = null,
    /** The request is longer than the model's context. */
    readonly isTooLong = false,
  ) {
    super(sentence);
    this.name = "ModelFault";
  }
}

const maxDetailLength = 300;

/** Turns an error of a provider into a sentence. The key is masked, because some providers repeat it. */
export function toModelFault(
  error: unknown,
  { name, key }: Pick<ProviderAccess, "name" | "key">,
  model: string,
  { hasBegun = false }: { hasBegun?: boolean } = {},
): ModelFault {
  if (error instanceof ModelFault) return error;
  const known = appErrorWithin(error);
  if (known && isLostConnection(known)) {
    const what = hasBegun ? "broke off its answer" : "ended the request without an answer";
    return new ModelFault(`${name} ${what}: its server closed the connection. Try again.`, true);
  }
  if (known) return new ModelFault(`${name}: ${known.message}`, known.code === "unavailable");
  const told = (text: string) => withDetail(text, masked(detailOf(error), key));

  if (APICallError.isInstance(error) && error.statusCode !== undefined && !isOk(error.statusCode)) {
    const retryAfter = secondsUntilRetry(error.responseHeaders);
    return ofStatus(error.statusCode, { name, model, told, detail: detailOf(error), retryAfter });
  }
  if (error instanceof BrokenAnswer) {
    const limited = isLimit(error.reported);
    if (limited) return new ModelFault(told(`${name} limits requests to ${model} at present. Try again later.`), true);
    return new ModelFault(told(`${name} broke off its answer. Try again.`), true);
  }
  if (!AISDKError.isInstance(error)) log().error({ err: error, provider: name, model }, "asking a model failed");
  return new ModelFault(
    told(`${name} sent an answer that does not follow its protocol. Check the kind and the base URL in Settings → Models.`),
    false,
  );
}

type Told = { name: string; model: string; told: (text: string) => string; detail: string; retryAfter: number | null };

function ofStatus(status: number, { name, model, told, detail, retryAfter }: Told): ModelFault {
  if (status === 401) return new ModelFault(told(`${name} refuses the key. Enter a valid key in Settings → Models.`), false);
  if (status === 402 || (status === 429 && /insufficient_quota|exceeded your current quota|credit/i.test(detail)))
    return new ModelFault(told(`The account at ${name} has no credit left. Add credit there.`), false);
  if (status === 403) return new ModelFault(told(`${name} forbids the use of ${model} with this key. Check the rights of the key.`), false);
  if (status === 404) return new ModelFault(told(`${name} has no model ${model}, or the base URL is wrong. Choose another model.`), false);
  if (status < 500 && tooManyTools.test(detail))
    return new ModelFault(
      told(`${name} takes fewer tools with a request to ${model}. Tick fewer tools for the agent, or choose progressive disclosure.`),
      false,
    );
  if (status === 413 || (status < 500 && tooLong.test(detail)))
    return new ModelFault(told(`${name} finds the request too large for ${model}. Begin a new conversation.`), false, null, true);
  if (status === 429) {
    const when = retryAfter === null ? "later" : `in ${retryAfter} s`;
    return new ModelFault(told(`${name} limits requests to ${model}. Try again ${when}.`), true, retryAfter);
  }
  if (status >= 300 && status < 400)
    return new ModelFault(`${name} redirects to another address. Enter the final base URL, because keys never follow redirects.`, false);
  if (status === 408 || status === 409 || status >= 500)
    return new ModelFault(told(`${name} has a fault (HTTP ${status}). Try again later.`), true, retryAfter);
  return new ModelFault(told(`${name} refused the request to ${model} (HTTP ${status}).`), false);
}

/** The words of providers for a request that exceeds the context. */
const tooLong =
  /context.?(length|size|window)|maximum context|(prompt|input|request).{0,40}(is )?too (long|large)|too many (input )?tokens|exceeds?.{0,60}(context|token)/i;

/** The words of providers for a request with more tools, or longer definitions of tools, than they take. */
const tooManyTools =
  /too many (tools|functions)|(tools|functions)\b.{0,60}(too long|too many|at most|maximum (length|number|of))|(maximum|max).{0,40}\b(tools|functions)\b|\d+ (tools|functions) .{0,40}(limit|exceed|allowed)/i;

/** The connection ended after it was made; the error's own words name sockets only. */
function isLostConnection({ details: { cause } }: AppError): boolean {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"].includes(code);
}

const isOk = (status: number) => status >= 200 && status < 300;

/** The SDK wraps errors of our own client. */
function appErrorWithin(error: unknown) {
  for (let current = error, depth = 0; depth < 5 && current instanceof Error; current = current.cause, depth += 1) {
    if (isAppError(current)) return current;
  }
  return null;
}

function isLimit(reported: unknown): boolean {
  const text = reported instanceof Error ? reported.message : (JSON.stringify(reported) ?? "");
  return /rate.?limit|overloaded|resource_exhausted|too many requests/i.test(text);
}

/** The provider's own words: of its error document, or of an error within the stream. */
function detailOf(error: unknown): string {
  if (APICallError.isInstance(error)) {
    const body = error.responseBody ?? "";
    return messageWithin(parsed(body)) ?? (body.trimStart().startsWith("<") ? "" : body || error.message);
  }
  if (error instanceof BrokenAnswer) {
    const { reported } = error;
    // The SDK's words on its own parser help nobody.
    return typeof reported === "string" ? reported : reported instanceof Error ? "" : (messageWithin(reported) ?? "");
  }
  return "";
}

function messageWithin(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return messageWithin(value[0]);
  if (typeof value !== "object" || value === null) return null;
  for (const member of ["error", "message", "detail"] as const) {
    const found = member in value ? messageWithin(Reflect.get(value, member)) : null;
    if (found) return found;
  }
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A shorter key, such as a dummy of a local server, is part of ordinary words. */
const shortestMasked = 8;

const masked = (text: string, key: string | null) => (key && key.length >= shortestMasked ? text.replaceAll(key, "[key]") : text);

function withDetail(sentence: string, detail: string): string {
  const line = detail.replaceAll(/\s+/g, " ").trim();
  if (!line) return sentence;
  return `${sentence} It says: “${line.length > maxDetailLength ? `${line.slice(0, maxDetailLength)}…` : line}”`;
}

/** Seconds of `retry-after`, which is a number or a date. */
function secondsUntilRetry(headers: Record<string, string> | undefined): number | null {
  const text = headers?.["retry-after"];
  if (!text) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds));
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1_000));
}
