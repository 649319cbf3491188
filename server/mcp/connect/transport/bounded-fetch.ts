import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { AppError } from "@/server/platform/errors";
import { makeRateLimit } from "@/server/platform/rate-limit";
import { answerFault, isUsualAnswer, mayBeDeep } from "./answer-fault";
import { EventBlocks, parseEventData, withEventData } from "./event-blocks";
import type { NotificationGate } from "./notification-gate";
import { readMessages } from "./read-messages";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export type BoundedFetchOptions = {
  /** Largest answer, and largest single event of an event stream. */
  maxBytes: number;
  oversizedSentence: string;
  /** Ends one call whose answer stopped early, because the SDK would not notice. */
  onAnswerLost: (requestId: number, sentence: string) => void;
  /** Takes notifications out of event streams and delivers a limited number of them. */
  gate: NotificationGate;
};

/** Limits and callbacks of a bounded body. */
type Hooks = {
  maxBytes: number;
  oversizedSentence: string;
  gate: NotificationGate;
  onLost: (sentence: string) => void;
  onDone: () => void;
};

/** Reading rate of one event stream; backpressure makes a flooding server wait. */
const eventPace = { burst: 10_000, perSecond: 2_500 };
const bytesPerSecond = 8 * 1_024 * 1_024;
const cancellationMilliseconds = 5_000;
const encoder = new TextEncoder();

/**
 * Makes a `fetch` for MCP over HTTP with bounded memory and no leaked connections. The SDK alone reads bodies of any size
 * to their end, keeps a call waiting until its timeout when an event stream ends without the answer, and in the older
 * protocol keeps the connection of a cancelled call.
 */
export function boundedFetch({ maxBytes, oversizedSentence, onAnswerLost, gate }: BoundedFetchOptions): Fetch {
  /** Requests without a complete answer, each with the function that ends the request. */
  const open = new Map<number, () => void>();
  return async (url, init) => {
    const sent = init?.method === "POST" ? sentIn(init.body) : null;
    if (sent?.kind === "cancellation") {
      open.get(sent.requestId)?.();
      return fetch(url, withSignal(init, AbortSignal.timeout(cancellationMilliseconds)));
    }
    const abort = new AbortController();
    const onDone = () => {
      if (!sent) return;
      open.delete(sent.requestId);
    };
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
    const hooks = { maxBytes, oversizedSentence, gate, onLost, onDone };
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

/** Recognises a sent body as a request or as the cancellation of a request. */
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
  /** Ends the body now, as if the request had been answered. */
  end: (requestId: number) => void;
};

/** Holds a body back until it is complete, so that its messages can be repaired before the SDK sees them. */
function boundedBytes({ maxBytes, oversizedSentence, onDone }: Hooks): BoundedBody {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const transformer = {
    transform(chunk: Uint8Array) {
      length += chunk.byteLength;
      if (length > maxBytes) throw new AppError("too_large", oversizedSentence);
      chunks.push(chunk);
    },
    flush(controller: Controller) {
      onDone();
      controller.enqueue(passedBody(Buffer.concat(chunks)));
    },
    cancel: onDone,
  };
  return { stream: new TransformStream<Uint8Array, Uint8Array>(transformer), end: () => {} };
}

/** Returns the event as the SDK is to see it; null for a notification that the gate takes. */
function passedBlock(block: Buffer, gate: NotificationGate): Uint8Array | null {
  if (!block.includes('"notifications/') && isUsualAnswer(block)) return block;
  const sent = parseEventData(block);
  const passed = readMessages(sent).flatMap((message) => (gate.takes(message) ? [] : [answerFault(message) ?? message]));
  if (passed.length === 0) return null;
  return passed.length === 1 && passed[0] === sent ? block : encoder.encode(withEventData(block, passed));
}

/** Returns the body as the SDK is to see it: the same bytes unless a message in it needs repair. */
function passedBody(body: Buffer): Uint8Array {
  if (isUsualAnswer(body) || !(body.includes("null") || mayBeDeep(body))) return body;
  let sent: unknown;
  try {
    sent = JSON.parse(body.toString("utf8"));
  } catch {
    return body;
  }
  const messages = readMessages(sent);
  if (!Array.isArray(sent)) return messages[0] === sent ? body : encoder.encode(JSON.stringify(messages[0]));
  return messages.every((message, index) => message === sent[index]) ? body : encoder.encode(JSON.stringify(messages));
}

export const answerLostSentence = "The connection ended before the answer was there.";

/**
 * Holds each event back until it is complete, so that the gate can take notifications before the SDK sees them. A stream
 * with event ids can be resumed, so its end loses no answer.
 */
function boundedEvents({ maxBytes, oversizedSentence, gate, onLost, onDone }: Hooks): BoundedBody {
  const pace = makeRateLimit(eventPace);
  const paceOfBytes = makeRateLimit({ burst: 2 * maxBytes, perSecond: bytesPerSecond });
  const blocks = new EventBlocks();
  let out: Controller | null = null;
  let isResumable = false;
  const transformer = {
    start(controller: Controller) {
      out = controller;
    },
    async transform(chunk: Uint8Array, controller: Controller) {
      let events = 0;
      for (const block of blocks.read(chunk)) {
        events += 1;
        isResumable ||= /(?:^|[\r\n])id:/.test(block.toString("latin1", 0, 1_000));
        const passed = passedBlock(block, gate);
        if (passed) controller.enqueue(passed);
      }
      if (blocks.pending > maxBytes) {
        onLost(oversizedSentence);
        throw new AppError("too_large", oversizedSentence);
      }
      const pauseMs = Math.max(pace(events), paceOfBytes(chunk.byteLength));
      if (pauseMs > 0) await wait(pauseMs, undefined, { ref: false });
    },
    flush(controller: Controller) {
      onDone();
      controller.enqueue(blocks.rest());
      if (!isResumable) onLost(answerLostSentence);
    },
    cancel: onDone,
  };
  const end = (requestId: number) => {
    // The SDK does not resume a stream that contained an answer.
    const answer = { jsonrpc: "2.0", id: requestId, error: { code: -32_000, message: "cancelled" } };
    out?.enqueue(encoder.encode(`\n\ndata: ${JSON.stringify(answer)}\n\n`));
    out?.terminate();
  };
  return { stream: new TransformStream<Uint8Array, Uint8Array>(transformer), end };
}
