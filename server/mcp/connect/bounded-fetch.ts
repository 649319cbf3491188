import { z } from "zod";
import { AppError } from "@/server/platform/errors";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export type BoundedFetchOptions = {
  /** Largest answer, and largest single event of an event stream. */
  maxBytes: number;
  oversizedSentence: string;
  /** The answer to a request stopped before it was there, and nobody else will say so; ends that one call. */
  onAnswerLost: (requestId: number, sentence: string) => void;
};

/**
 * `fetch` for MCP over HTTP with bounded memory. The SDK reads bodies to their end whatever their size, and keeps a
 * call waiting until its timeout when an event stream ends without the answer.
 */
export function boundedFetch({ maxBytes, oversizedSentence, onAnswerLost }: BoundedFetchOptions): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const { body } = response;
    if (!body) return response;
    const isEvents = response.headers.get("content-type")?.toLowerCase().startsWith("text/event-stream") ?? false;
    const lost = (sentence: string) => {
      const requestId = init?.method === "POST" ? idOf(init.body) : null;
      if (requestId !== null) onAnswerLost(requestId, sentence);
    };
    const bounded = body.pipeThrough(
      isEvents ? boundedEvents(maxBytes, oversizedSentence, lost) : boundedBytes(maxBytes, oversizedSentence),
    );
    return new Response(bounded, { status: response.status, statusText: response.statusText, headers: response.headers });
  };
}

const Request = z.object({ id: z.number(), method: z.string() });

function idOf(body: unknown): number | null {
  if (typeof body !== "string") return null;
  const parsed = Request.safeParse(JSON.parse(body));
  return parsed.success ? parsed.data.id : null;
}

function boundedBytes(maxBytes: number, sentence: string): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(chunk, controller) {
      length += chunk.byteLength;
      if (length > maxBytes) throw new AppError("too_large", sentence);
      controller.enqueue(chunk);
    },
  });
}

const answerLostSentence =
  "The connection ended before the answer was there. Whether the call had an effect is not known: check before you send it again.";

/** Counts the bytes since the last end of an event. A stream that names its events can be resumed, so its end is no loss. */
function boundedEvents(maxBytes: number, sentence: string, onLost: (sentence: string) => void): TransformStream<Uint8Array, Uint8Array> {
  let sinceEvent = 0;
  let edge = "";
  let isResumable = false;
  return new TransformStream({
    transform(chunk, controller) {
      const text = edge + Buffer.from(chunk).toString("latin1");
      isResumable ||= /(?:^|[\r\n])id:/.test(text);
      const end = Math.max(text.lastIndexOf("\n\n"), text.lastIndexOf("\r\n\r\n"), text.lastIndexOf("\r\r"));
      sinceEvent = end === -1 ? sinceEvent + chunk.byteLength : text.length - end;
      edge = text.slice(-4);
      if (sinceEvent > maxBytes) {
        onLost(sentence);
        throw new AppError("too_large", sentence);
      }
      controller.enqueue(chunk);
    },
    flush() {
      if (!isResumable) onLost(answerLostSentence);
    },
  });
}
