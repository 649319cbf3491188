import { connection } from "./connection";
import { probeServer } from "./probe-server";

export type StreamEvent = {
  /** Last event id of the stream; an event without an id repeats the previous one. */
  id: string;
  name: string;
  data: unknown;
};

const firstPauseMs = 2_000;
const maxPauseMs = 60_000;

/**
 * Listens to server-sent events until the returned function is called. The browser reconnects after a dropped
 * connection but gives up after a refusal (a proxy's 502, an ended session); then this function retries with growing
 * pauses.
 * @param onOpen called on every connection, because events may have been missed: refetch the data
 * @param onCut called when the connection is lost, until the next `onOpen`
 */
export function listenToEvents(
  address: string,
  names: readonly string[],
  { onEvent, onOpen, onCut }: { onEvent: (event: StreamEvent) => void; onOpen: () => void; onCut?: () => void },
): () => void {
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = firstPauseMs;

  const open = () => {
    let losses = connection.losses();
    const opened = new EventSource(address);
    source = opened;
    opened.onopen = () => {
      connection.reached(losses);
      pauseMs = firstPauseMs;
      onOpen();
    };
    opened.onerror = () => {
      onCut?.();
      // A stream that breaks is the first sign of a server that is gone, long before the next request.
      probeServer();
      // The browser connects again from here on.
      losses = connection.losses();
      if (opened.readyState !== EventSource.CLOSED) return;
      retry = setTimeout(open, pauseMs);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    };
    for (const name of names) {
      opened.addEventListener(name, (message: MessageEvent<string>) =>
        onEvent({ id: message.lastEventId, name, data: readJson(message.data) }),
      );
    }
  };
  open();

  return () => {
    clearTimeout(retry);
    source?.close();
  };
}

/** Parses an event's data; null for bad JSON, because even an unreadable event is a hint to refetch. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
