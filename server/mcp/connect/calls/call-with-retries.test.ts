import type { CallToolResult } from "@modelcontextprotocol/client";
import { beforeEach, expect, test, vi } from "vitest";
import { AppError } from "@/server/platform/errors";
import type { Session } from "../session/session";
import { callWithRetries, pauseAfter } from "./call-with-retries";

const request = { rawName: "read", inputSchema: {}, idempotent: true, args: {} };
const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });
const cut = () =>
  Promise.reject(Object.assign(new TypeError("fetch failed"), { cause: Object.assign(new Error("x"), { code: "ECONNRESET" }) }));

/** Makes a session whose successive calls end as in `answers`. */
function sessionThat(answers: (() => Promise<CallToolResult>)[], { stops = false } = {}) {
  const callTool = vi.fn(() => (answers.shift() ?? cut)());
  const session: Session = {
    serverInfo: null,
    era: "legacy",
    tools: [],
    notes: [],
    latencyMs: 0,
    instructions: null,
    listResources: async () => ({ items: [], notes: [] }),
    listPrompts: async () => ({ items: [], notes: [] }),
    getPrompt: async () => ({ messages: [] }),
    complete: async () => ({ values: [] }),
    readResource: async () => [],
    listTools: async () => ({ tools: [], notes: [] }),
    inFlight: () => 0,
    callTool,
    lost: () => (stops ? "The server stopped (exit code 9)." : null),
    hasStopped: () => stops,
    onLost: () => {},
    onChange: () => {},
    subscribe: async () => () => {},
    check: async () => {},
    stderr: () => null,
    findCures: () => [],
    close: async () => {},
  };
  return { session, callTool };
}

const callOf = (session: Session, rest: Partial<typeof request> = {}, signal = new AbortController().signal) =>
  callWithRetries(
    { alias: "files", session: async () => session, replace: async () => {} },
    { ...request, ...rest },
    { signal, timeoutMs: 10_000, progress: () => {} },
  );

beforeEach(() => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  return () => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  };
});

test("a call in a conversation whose session was lost since its last call says so, once", async () => {
  const lost = sessionThat([async () => text("one")]);
  const next = sessionThat([async () => text("two"), async () => text("three")]);
  let current = lost.session;
  const lastUsed = new Map<string, Session>();
  const requestedBy = { type: "user" as const, id: "u", name: "Ada" };
  const origin = { workspaceId: "w", conversationId: "c", requestedBy };
  const made = () =>
    callWithRetries({ alias: "files", session: async () => current, replace: async () => {}, lastUsed }, request, {
      signal: new AbortController().signal,
      timeoutMs: 10_000,
      progress: () => {},
      origin,
    });
  expect(await made()).toBe("one");
  current = { ...next.session };
  lastUsed.set("c", { ...lost.session, lost: () => "The server stopped." });
  expect(await made()).toBe("[files had lost its session, so this call ran in a new one. State of earlier calls may be gone.]\ntwo");
  expect(await made()).toBe("three");
});

test("a call that only reads is made again when the connection broke under it, and nobody notices", async () => {
  const { session, callTool } = sessionThat([cut, cut, async () => text("there")]);
  expect(await callOf(session)).toBe("there");
  expect(callTool).toHaveBeenCalledTimes(3);
});

test("after four attempts it is over, and the sentence says so", async () => {
  const { session, callTool } = sessionThat([]);
  await expect(callOf(session)).rejects.toThrow(
    "files did not answer the call. The server closed the connection. The call failed 4 times in a row. Go on without it, or try again later.",
  );
  expect(callTool).toHaveBeenCalledTimes(4);
});

test("a call that stops its server is not made again, because it would stop the server for everybody each time", async () => {
  const { session, callTool } = sessionThat([], { stops: true });
  await expect(callOf(session)).rejects.toThrow(
    "files stopped while the call was running. The server stopped (exit code 9). The call is not repeated, because it may have stopped the server. Go on without it, or try again later.",
  );
  expect(callTool).toHaveBeenCalledTimes(1);
});

test("the advice stands once in the sentence, also after a server that is away", async () => {
  const { session } = sessionThat([]);
  let asked = 0;
  const route = {
    alias: "files",
    session: async () => {
      asked += 1;
      if (asked > 1) throw new AppError("unavailable", "files is not connected. Go on without it, or try again later.");
      return session;
    },
    replace: async () => {},
  };
  const ended = callWithRetries(route, request, { signal: new AbortController().signal, timeoutMs: 10_000, progress: () => {} });
  await expect(ended).rejects.toThrow(
    /^files is not connected\. The call failed 4 times in a row\. Go on without it, or try again later\.$/,
  );
});

test("a call that changes something is made once, and the sentence says that its effect is not known", async () => {
  const { session, callTool } = sessionThat([]);
  await expect(callOf(session, { idempotent: false })).rejects.toThrow("Whether the call had an effect is not known");
  expect(callTool).toHaveBeenCalledTimes(1);
});

test("an error that a server answers is an answer, and not asked for again", async () => {
  const { session, callTool } = sessionThat([async () => ({ ...text("No such file"), isError: true })]);
  expect(await callOf(session)).toMatchObject({ isError: true, text: "No such file" });
  expect(callTool).toHaveBeenCalledTimes(1);
});

test("nothing is made again when nobody waits any more", async () => {
  const { session, callTool } = sessionThat([]);
  const stop = new AbortController();
  const ended = callOf(session, {}, stop.signal);
  await vi.waitFor(() => expect(callTool).toHaveBeenCalledTimes(1));
  stop.abort(new AppError("timed_out", "too late"));
  await expect(ended).rejects.toThrow("too late");
  expect(callTool).toHaveBeenCalledTimes(1);
});

test("a server that is not there in the first place is not waited for", async () => {
  const away = async () => Promise.reject(new AppError("unavailable", "files is not connected."));
  const context = { signal: new AbortController().signal, timeoutMs: 10_000, progress: () => {} };
  // With fake timers, a pause between attempts would never end.
  vi.useFakeTimers();
  await expect(callWithRetries({ alias: "files", session: away, replace: async () => {} }, request, context)).rejects.toThrow(
    "files is not connected.",
  );
});

test("pauses grow by 300 ms an attempt up to two seconds, a quarter of them by chance", () => {
  expect([1, 2, 3].map((attempts) => pauseAfter(attempts, 1))).toEqual([300, 600, 900]);
  expect(pauseAfter(50, 1)).toBe(2_000);
  expect(pauseAfter(1, 0)).toBe(225);
});
