import "server-only";
import { Readable } from "node:stream";
import { guardedHttp } from "@/server/capabilities/network/guarded-http";
import type { HttpCapability } from "@/server/capabilities/network/http";
import { AppError } from "@/server/platform/errors";

/** Bytes of an error answer that are read, because only its sentence is shown. */
const maxErrorBytes = 64 * 1_024;

/**
 * Returns a `fetch` for one provider. An admin named its address, so it may be private; metadata services stay refused.
 * Redirects are not followed, because the key belongs to this origin only.
 */
export function providerFetch(baseUrl: string): typeof fetch {
  const http = providerHttp(baseUrl);
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const form = init.body instanceof FormData ? new Response(init.body) : null;
    const headers = Object.fromEntries(new Headers(init.headers));
    delete headers["user-agent"];
    if (form) headers["content-type"] = form.headers.get("content-type") ?? "";
    const sent = form ? await form.bytes() : init.body;
    const answer = await http.open(url, {
      method: init.method ?? "GET",
      ownHeaders: headers,
      ...(typeof sent === "string" || sent instanceof Uint8Array ? { body: sent } : {}),
      signal: init.signal ?? new AbortController().signal,
    });
    const isSuccess = answer.status >= 200 && answer.status < 300;
    // A portal of the network, or a site in place of its API, answers 200 with HTML, which would pass for an empty stream.
    if (isSuccess && /^text\/html\b/i.test(answer.headers["content-type"] ?? "")) {
      await answer.body[Symbol.asyncIterator]().return?.(undefined);
      throw new AppError("invalid", "it answered with a web page. The base URL seems wrong: check it in Settings → Models.");
    }
    const body = Readable.toWeb(Readable.from(isSuccess ? answer.body : beginningOf(answer.body)));
    return new Response(body as ReadableStream<Uint8Array>, { status: answer.status, headers: answer.headers });
  };
}

/** Returns a client that reaches the provider's host, also at a private address. */
export function providerHttp(baseUrl: string): HttpCapability {
  const { hostname, port, protocol } = new URL(baseUrl);
  return guardedHttp({ privateHosts: [`${hostname}:${port || (protocol === "https:" ? "443" : "80")}`] });
}

async function* beginningOf(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let left = maxErrorBytes;
  for await (const chunk of body) {
    yield chunk.subarray(0, left);
    left -= chunk.byteLength;
    if (left <= 0) return;
  }
}
