import "server-only";
import { randomBytes } from "node:crypto";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { wasNeverSent } from "@/server/capabilities/network/guarded-http";
import type { HttpCapability } from "@/server/capabilities/network/http";
import { toErrorMessage } from "@/server/platform/errors";
import { MediaFault, oneLine, unreadable } from "./media-fault";

/** Answers may hold images as text, which makes them a third longer. */
const maxAnswerBytes = 120 * 1_048_576;
const maxErrorBytes = 64 * 1_024;

type Part = { name: string; value: string } | { name: string; fileName: string; mediaType: string; bytes: Uint8Array };
type Ask = {
  method?: "GET" | "POST" | "PUT";
  body?: JsonObject;
  form?: readonly Part[];
  timeoutMs?: number;
};

/** Requests to one provider, with its address and its key. */
export type MediaClient = {
  /** Sends a request to a path below the provider's address and reads its JSON answer. @throws MediaFault */
  ask: (path: string, asked?: Ask) => Promise<JsonObject>;
  /** Downloads a file of an answer. @throws MediaFault above `maxBytes` */
  download: (url: string, options: { maxBytes: number; withKey?: boolean }) => Promise<Uint8Array>;
};

type Access = {
  address: string;
  key: string;
  authorize: (key: string) => Record<string, string>;
  http: HttpCapability;
  signal: AbortSignal;
};

/** Creates the client of one provider for one call. The key never leaves for another origin, and no message repeats it. */
export function mediaClient({ address, key, authorize, http, signal }: Access): MediaClient {
  const masked = (text: string) => (key === "" ? text : text.replaceAll(key, "***"));
  const within = <T>(work: (limited: AbortSignal) => Promise<T>, timeoutMs: number): Promise<T> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    return work(AbortSignal.any([signal, timeout])).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof MediaFault) throw error;
      if (timeout.aborted) throw new MediaFault("unknown", `did not answer within ${Math.round(timeoutMs / 1_000)} seconds`, true);
      const words = masked(oneLine(toErrorMessage(error))).replace(/\.$/, "");
      throw new MediaFault(wasNeverSent(error) ? "unsent" : "unknown", `could not be asked: ${words}`, true);
    });
  };
  return {
    ask: (path, { method, body, form, timeoutMs = 60_000 } = {}) =>
      within(async (limited) => {
        const sent = form ? multipart(form) : body ? { type: "application/json", body: JSON.stringify(body) } : null;
        const answer = await http.fetch(`${address}${path}`, {
          method: method ?? (sent ? "POST" : "GET"),
          ownHeaders: { ...authorize(key), accept: "application/json", ...(sent ? { "content-type": sent.type } : {}) },
          ...(sent ? { body: sent.body } : {}),
          signal: limited,
          maxBytes: maxAnswerBytes,
        });
        const text = new TextDecoder().decode(answer.status < 300 ? answer.bytes : answer.bytes.subarray(0, maxErrorBytes));
        if (answer.status < 200 || answer.status >= 300) throw faultOfStatus(answer.status, masked(detailOf(text)), answer.headers);
        if (answer.truncated) throw new MediaFault("unknown", "sent an answer of more than 120 MiB");
        return parsed(text);
      }, timeoutMs),

    download: (url, { maxBytes, withKey = false }) =>
      within(async (limited) => {
        const { status, bytes, truncated } = await followed(http, url, ({ origin }) => ({
          method: "GET",
          signal: limited,
          maxBytes,
          followRedirects: true,
          ...(withKey && origin === new URL(address).origin ? { ownHeaders: authorize(key) } : {}),
        }));
        if (status !== 200) throw new MediaFault("unknown", `made a file that cannot be downloaded (HTTP ${status})`, status >= 500);
        if (truncated) throw new MediaFault("unknown", `made a file of more than ${Math.round(maxBytes / 1_048_576)} MiB`);
        return bytes;
      }, 10 * 60_000),
  };
}

const maxOrigins = 3;

/** Downloads are often redirected to another origin. Each one is asked by its own request, so that no key goes along. */
async function followed(http: HttpCapability, start: string, asked: (url: URL) => Parameters<HttpCapability["fetch"]>[1]) {
  let url = new URL(start);
  for (let origins = 1; ; origins += 1) {
    const answer = await http.fetch(url.href, asked(url));
    const { location } = answer.headers;
    const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined;
    if (!isRedirect || origins === maxOrigins || !URL.canParse(location, answer.url)) return answer;
    url = new URL(location, answer.url);
  }
}

function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // The text is no JSON.
  }
  throw unreadable("the JSON that its documentation promises");
}

/** Gateways answer 408, 502 and 504 while the work may go on behind them, so their outcome is unknown. */
function faultOfStatus(status: number, detail: string, headers: Record<string, string>): MediaFault {
  const says = detail === "" ? "" : ` It says: “${detail}”`;
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
  if (status === 401) return new MediaFault("refused", `refuses the key. Enter a valid key in Settings, Media.${says}`);
  if (status === 402) return new MediaFault("refused", `has no credit left for this account. Add credit there.${says}`);
  if (status === 403) return new MediaFault("refused", `forbids the request (HTTP 403). Check the rights of the key.${says}`);
  if (status === 404) return new MediaFault("refused", `does not know the model or the address (HTTP 404). Choose another model.${says}`);
  if (status === 429) return new MediaFault("refused", `limits the number of requests (HTTP 429).${says}`, true, retryAfter);
  if (status === 408 || status === 502 || status === 504) {
    return new MediaFault("unknown", `did not answer in time (HTTP ${status}).${says}`, true, retryAfter);
  }
  if (status >= 500) return new MediaFault("refused", `has a fault (HTTP ${status}).${says}`, true, retryAfter);
  if (status >= 300 && status < 400) return new MediaFault("refused", "redirects to another address, which never gets the key");
  return new MediaFault("refused", `refused the request (HTTP ${status}).${says}`);
}

/** The provider's own sentence in an error document. */
function detailOf(text: string): string {
  try {
    return oneLine(messageWithin(JSON.parse(text), 0) ?? "");
  } catch {
    return text.trimStart().startsWith("<") ? "" : oneLine(text);
  }
}

function messageWithin(value: unknown, depth: number): string | null {
  if (typeof value === "string") return value;
  if (depth > 4 || typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) return messageWithin(value[0], depth + 1);
  for (const member of ["error", "message", "detail", "msg", "status_msg"]) {
    const found = Object.hasOwn(value, member) ? messageWithin(Reflect.get(value, member), depth + 1) : null;
    if (found) return found;
  }
  return null;
}

/** Writes a form with files, as RFC 7578 describes it. */
function multipart(parts: readonly Part[]): { type: string; body: Uint8Array } {
  const boundary = `handrail-${randomBytes(16).toString("hex")}`;
  const quoted = (text: string) => text.replaceAll(/["\r\n]/g, (sign) => encodeURIComponent(sign));
  const pieces = parts.flatMap((part) => {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(part.name)}"`;
    return "value" in part
      ? [Buffer.from(`${head}\r\n\r\n${part.value}\r\n`)]
      : [
          Buffer.from(`${head}; filename="${quoted(part.fileName)}"\r\ncontent-type: ${part.mediaType}\r\n\r\n`),
          part.bytes,
          Buffer.from("\r\n"),
        ];
  });
  return { type: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]) };
}
