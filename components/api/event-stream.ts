export type StreamEvent = {
  /** The last number that the stream gave; an event without one of its own has that of the event before. */
  id: string;
  name: string;
  data: unknown;
};

const firstPauseMs = 2_000;
const longestPauseMs = 60_000;

/**
 * Listens to a stream of server-sent events until the returned function is called. The browser connects again by itself
 * after a dropped line; after a refusal (a proxy's 502, a session that ended) it gives up, and this tries again, ever slower.
 * @param onOpen called on every connection: events may have been missed before it, so read again what they are about
 */
export function listenToEvents(
  address: string,
  names: readonly string[],
  { onEvent, onOpen }: { onEvent: (event: StreamEvent) => void; onOpen: () => void },
): () => void {
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = firstPauseMs;

  const open = () => {
    const opened = new EventSource(address);
    source = opened;
    opened.onopen = () => {
      pauseMs = firstPauseMs;
      onOpen();
    };
    opened.onerror = () => {
      if (opened.readyState !== EventSource.CLOSED) return;
      retry = setTimeout(open, pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
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

/** An event is a hint; one that cannot be read still says that something happened. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
