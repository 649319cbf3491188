import "server-only";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { guardedHttp, wasNeverSent } from "@/server/capabilities/network/guarded-http";
import { toErrorMessage } from "@/server/platform/errors";
import { messengerAllowPrivate } from "./environment";
import { PlatformError } from "./platform-error";

export type PlatformRequest = {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Credentials and other headers that Handrail sets. */
  headers?: Record<string, string>;
  json?: unknown;
  form?: FormData | URLSearchParams;
  bytes?: Uint8Array;
  timeoutMs?: number;
  maxBytes?: number;
  signal?: AbortSignal;
};

export type PlatformAnswer = { status: number; headers: Record<string, string>; bytes: Uint8Array };

/** Requests to one platform. Errors name no secret of the account. */
export type PlatformHttp = {
  /** @throws PlatformError for a failure of the connection, 429 and 5xx; other statuses are answers */
  request: (url: string, request?: PlatformRequest) => Promise<PlatformAnswer>;
  /** As `request`, for an answer that must be a JSON object with status 2xx. @throws PlatformError */
  call: (url: string, request?: PlatformRequest) => Promise<JsonObject>;
};

const timeoutMs = 20_000;
const maxAnswerBytes = 2_000_000;

/** @param secrets texts that no error may hold */
export function platformHttp(secrets: readonly string[]): PlatformHttp {
  const mask = (text: string) =>
    secrets
      .filter((secret) => secret.length > 3)
      .reduce((masked, secret) => masked.replaceAll(secret, "…"), text)
      .slice(0, 500);
  const http = guardedHttp({ allowPrivateAddresses: messengerAllowPrivate.value() });

  const request: PlatformHttp["request"] = async (url, asked = {}) => {
    const host = URL.parse(url)?.host ?? "the platform";
    const { body, type } = await bodyOf(asked);
    const limit = AbortSignal.timeout(asked.timeoutMs ?? timeoutMs);
    const signal = asked.signal ? AbortSignal.any([asked.signal, limit]) : limit;
    const ownHeaders = { ...(type ? { "content-type": type } : {}), ...asked.headers };
    const sent = { method: asked.method ?? (body ? "POST" : "GET"), ownHeaders, signal, ...(body ? { body } : {}) };
    const answer = await http.fetch(url, { ...sent, maxBytes: asked.maxBytes ?? maxAnswerBytes }).catch((error: unknown) => {
      if (limit.aborted) throw new PlatformError("unknown", `${host} did not answer in time.`);
      throw new PlatformError(wasNeverSent(error) ? "unsent" : "unknown", mask(toErrorMessage(error)));
    });
    if (answer.truncated) throw new PlatformError("refused", `${host} sent more bytes than are taken.`);
    const { status, headers, bytes } = answer;
    if (status === 429) throw new PlatformError("rate", `${host} asks for fewer requests.`, { retryAfterMs: retryAfter(headers, bytes) });
    if (status >= 500) throw new PlatformError("unknown", mask(`${host} answered ${status}: ${beginning(bytes)}`));
    return { status, headers, bytes };
  };

  return {
    request,
    async call(url, asked) {
      const { status, bytes } = await request(url, asked);
      const host = URL.parse(url)?.host ?? "the platform";
      if (status < 200 || status > 299) throw new PlatformError("refused", mask(`${host} answered ${status}: ${beginning(bytes)}`));
      const body = readJson(bytes);
      if (body) return body;
      // A proxy's page in place of the answer: whether the request had its effect, nobody knows.
      throw new PlatformError("unknown", mask(`${host} answered ${status} with no JSON: ${beginning(bytes)}`));
    },
  };
}

/** Parses a JSON object; null for anything else. */
export function readJson(bytes: Uint8Array): JsonObject | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

async function bodyOf({ json, form, bytes }: PlatformRequest): Promise<{ body?: string | Uint8Array; type?: string }> {
  if (json !== undefined) return { body: JSON.stringify(json), type: "application/json; charset=utf-8" };
  if (form instanceof URLSearchParams) return { body: form.toString(), type: "application/x-www-form-urlencoded" };
  if (form) {
    const encoded = new Response(form);
    return { body: await encoded.bytes(), type: encoded.headers.get("content-type") ?? "multipart/form-data" };
  }
  return bytes ? { body: bytes } : {};
}

const maxPauseMs = 3_600_000;

/** Reads the pause from the header `retry-after`, or from Telegram's and Discord's bodies; seconds. */
function retryAfter(headers: Record<string, string>, bytes: Uint8Array): number {
  const body = readJson(bytes);
  const parameters = body && isJsonObject(body.parameters) ? body.parameters : {};
  const seconds = Number(headers["retry-after"] ?? parameters.retry_after ?? body?.retry_after ?? 1);
  return Math.min(maxPauseMs, Math.max(1_000, Number.isFinite(seconds) ? seconds * 1_000 : 1_000));
}

const beginning = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 300)).toString("utf8").replace(/\s+/g, " ").trim();
