import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { AppError } from "@/server/platform/errors";
import { makePace } from "./pace";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export type BoundedFetchOptions = {
  /** Largest answer, and largest single event of an event stream. */
  maxBytes: number;
  oversizedSentence: string;
  /** The answer to a request stopped before it was there, and nobody else will say so; ends that one call. */
  onAnswerLost: (requestId: number, sentence: string) => void;
};

/** What a bounded body tells while it is read. */
type Hooks = { maxBytes: number; oversizedSentence: string; onLost: (sentence: string) => void; onDone: () => void };

/** How fast the lines of one event stream are read (two or three an event); a flood waits at its own end of the connection. */
const eventPace = { burst: 20_000, perSecond: 5_000 };
const cancellationMilliseconds = 5_000;
const encoder = new TextEncoder();

/**
 * `fetch` for MCP over HTTP with bounded memory and no connections left behind. The SDK reads bodies to their end
 * whatever their size, keeps a call waiting until its timeout when an event stream ends without the answer, and in the
 * older protocol keeps the connection of a call that was cancelled.
 */
export function boundedFetch({ maxBytes, oversizedSentence, onAnswerLost }: BoundedFetchOptions): Fetch {
  /** Requests that are not answered to the end, each with what ends it. */
  const open = new Map<number, () => void>();
  return async (url, init) => {
    const sent = init?.method === "POST" ? sentIn(init.body) : null;
    if (sent?.kind === "cancellation") {
      open.get(sent.requestId)?.();
      return fetch(url, withSignal(init, AbortSignal.timeout(cancellationMilliseconds)));
    }
    const abort = new AbortController();
    const onDone = () => void (sent && open.delete(sent.requestId));
    if (sent) open.set(sent.requestId, () => abort.abort());
    const response = await fetch(url, withSignal(init, abort.signal)).catch((error) => {
      onDone();
      throw error;
    });
    const { body } = response;
    if (!body) {
      onDone();
      return response;
    }
    const onLost = (sentence: string) => sent && onAnswerLost(sent.requestId, sentence);
    const hooks = { maxBytes, oversizedSentence, onLost, onDone };
    const isEvents = response.headers.get("content-type")?.toLowerCase().startsWith("text/event-stream") ?? false;
    const { stream, end } = isEvents ? boundedEvents(hooks) : boundedBytes(hooks);
    if (sent) {
      open.set(sent.requestId, () => {
        onDone();
        end(sent.requestId);
        abort.abort();
      });
    }
    return new Response(body.pipeThrough(stream), { status: response.status, statusText: response.statusText, headers: response.headers });
  };
}

function withSignal(init: RequestInit | undefined, signal: AbortSignal): RequestInit {
  return { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal };
}

const Request = z.object({ id: z.number(), method: z.string() });
const Cancellation = z.object({ method: z.literal("notifications/cancelled"), params: z.object({ requestId: z.number() }) });

/** What a body that we send is about: a request, or that one is not waited for any more. */
function sentIn(body: unknown): { kind: "request" | "cancellation"; requestId: number } | null {
  if (typeof body !== "string") return null;
  const message: unknown = JSON.parse(body);
  const request = Request.safeParse(message);
  if (request.success) return { kind: "request", requestId: request.data.id };
  const cancellation = Cancellation.safeParse(message);
  return cancellation.success ? { kind: "cancellation", requestId: cancellation.data.params.requestId } : null;
}

type Controller = TransformStreamDefaultController<Uint8Array>;
type BoundedBody = {
  stream: TransformStream<Uint8Array, Uint8Array>;
  /** Ends it now, as if the request had been answered. */
  end: (requestId: number) => void;
};

function boundedBytes({ maxBytes, oversizedSentence, onDone }: Hooks): BoundedBody {
  let length = 0;
  const transformer = {
    transform(chunk: Uint8Array, controller: Controller) {
      length += chunk.byteLength;
      if (length > maxBytes) throw new AppError("too_large", oversizedSentence);
      controller.enqueue(chunk);
    },
    flush: onDone,
    cancel: onDone,
  };
  return { stream: new TransformStream<Uint8Array, Uint8Array>(transformer), end: () => {} };
}

export const answerLostSentence = "The connection ended before the answer was there.";

/** Counts the bytes since the last end of an event. A stream that names its events can be resumed, so its end is no loss. */
function boundedEvents({ maxBytes, oversizedSentence, onLost, onDone }: Hooks): BoundedBody {
  const pace = makePace(eventPace);
  let out: Controller | null = null;
  let sinceEvent = 0;
  let edge = "";
  let isResumable = false;
  const transformer = {
    start(controller: Controller) {
      out = controller;
    },
    async transform(chunk: Uint8Array, controller: Controller) {
      const text = edge + Buffer.from(chunk).toString("latin1");
      isResumable ||= /(?:^|[\r\n])id:/.test(text);
      const end = Math.max(text.lastIndexOf("\n\n"), text.lastIndexOf("\r\n\r\n"), text.lastIndexOf("\r\r"));
      sinceEvent = end === -1 ? sinceEvent + chunk.byteLength : text.length - end;
      edge = text.slice(-4);
      if (sinceEvent > maxBytes) {
        onLost(oversizedSentence);
        throw new AppError("too_large", oversizedSentence);
      }
      controller.enqueue(chunk);
      const pauseMs = pace(linesIn(text));
      if (pauseMs > 0) await wait(pauseMs, undefined, { ref: false });
    },
    flush() {
      onDone();
      if (!isResumable) onLost(answerLostSentence);
    },
    cancel: onDone,
  };
  const end = (requestId: number) => {
    // With an answer in it, the SDK does not take the stream up again where it ended.
    const answer = { jsonrpc: "2.0", id: requestId, error: { code: -32_000, message: "cancelled" } };
    out?.enqueue(encoder.encode(`\n\ndata: ${JSON.stringify(answer)}\n\n`));
    out?.terminate();
  };
  return { stream: new TransformStream<Uint8Array, Uint8Array>(transformer), end };
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
