import { afterEach, expect, test, vi } from "vitest";
import { connection } from "./connection";
import { listenToEvents } from "./event-stream";

class FakeEventSource {
  static readonly CLOSED = 2;
  static readonly opened: FakeEventSource[] = [];
  readyState = 1;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  constructor(readonly address: string) {
    FakeEventSource.opened.push(this);
  }
  addEventListener() {}
  close() {
    this.readyState = FakeEventSource.CLOSED;
  }
}

afterEach(() => {
  FakeEventSource.opened.length = 0;
  connection.reached(connection.losses());
  vi.unstubAllGlobals();
});

/** Opens a stream to a server that answers signs of life as given. */
function listen(alive: () => Promise<Response>) {
  const probe = vi.fn(alive);
  vi.stubGlobal("EventSource", FakeEventSource);
  vi.stubGlobal("fetch", probe);
  const onOpen = vi.fn();
  const stop = listenToEvents("/api/v1/approvals/events", ["approval.requested"], { onEvent: () => undefined, onOpen });
  const [stream] = FakeEventSource.opened;
  if (!stream) throw new Error("No stream was opened");
  stream.onopen?.();
  return { stream, stop, probe, onOpen };
}

test("a broken event stream asks for a sign of life at once, and says that a server is gone", async () => {
  const { stream, stop, probe, onOpen } = listen(() => Promise.reject(new TypeError("Failed to fetch")));
  expect(connection.read().isLost).toBe(false);
  stream.onerror?.();
  expect(probe).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(connection.read().isLost).toBe(true));
  stream.onopen?.();
  expect(onOpen, "events may have been missed").toHaveBeenCalledTimes(2);
  stop();
});

test("a stream that breaks while the server answers is no loss", async () => {
  const { stream, stop, probe } = listen(() => Promise.resolve(new Response()));
  stream.onerror?.();
  await probe.mock.results[0]?.value;
  expect(connection.read().isLost).toBe(false);
  stop();
});
