import "server-only";
import { setTimeout as wait } from "node:timers/promises";
import {
  type CallToolResult,
  type Client,
  isSpecType,
  type Progress,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type Tool,
} from "@modelcontextprotocol/client";
import type { JsonObject } from "@/contracts/common";
import { messageOf } from "@/server/platform/errors";
import { cleanLine } from "./clean-text";
import { explainFailure } from "./explain-failure";
import { keepLatest } from "./keep-latest";
import { listUpstreamTools, type UpstreamTool } from "./list-upstream-tools";
import type { Link } from "./make-link";
import { progressEveryMilliseconds } from "./progress-gate";

export type Era = "modern" | "legacy";

export type UpstreamCall = {
  rawName: string;
  inputSchema: JsonObject;
  args: JsonObject;
  signal: AbortSignal;
  timeoutMs: number;
  progress: (message: string) => void;
};

/** An open connection to a server. */
export type Session = {
  serverInfo: { name: string; version: string } | null;
  era: Era;
  /** What the server listed when the session was opened. */
  tools: UpstreamTool[];
  /** Milliseconds from nothing to the tool list. */
  latencyMs: number;
  listTools(): Promise<UpstreamTool[]>;
  /** Calls that wait for an answer. */
  inFlight(): number;
  callTool(call: UpstreamCall): Promise<CallToolResult>;
  /** Why the connection ended by itself; null while it stands. */
  lost(): string | null;
  /** Calls back once when the connection ends without being closed. */
  onLost(listener: (sentence: string) => void): void;
  onToolsChanged(listener: () => void): void;
  /** Asks whether a server over HTTP is still there, and ends the connection when it is not. */
  check(): Promise<void>;
  /** The last lines of a program's error stream, secrets masked. */
  stderr(): string | null;
  close(): Promise<void>;
};

export type SessionParts = {
  alias: string;
  client: Client;
  link: Link;
  tools: UpstreamTool[];
  latencyMs: number;
  stderr: () => string | null;
  /** Where the client announces that the tool list changed. */
  toolsChanged: EventTarget;
};

const listMilliseconds = 30_000;
const checkMilliseconds = 5_000;
const listenAgainMilliseconds = 15_000;
/** The pipeline stops a call at its time limit; this much later ends one that nobody stopped. */
const graceMilliseconds = 1_000;

/** Wraps a connected client. From here on nobody needs to know which transport and which protocol era it has. */
export function makeSession({ alias, client, link, tools, latencyMs, stderr, toolsChanged }: SessionParts): Session {
  const { transport, stdio } = link;
  const era: Era = client.getProtocolEra() === "modern" ? "modern" : "legacy";
  const closing = new AbortController();
  const closed = Promise.withResolvers<void>();
  let lost: string | null = null;
  let inFlight = 0;
  const lostListeners: ((sentence: string) => void)[] = [];

  const close = async () => {
    if (closing.signal.aborted) return closed.promise;
    closing.abort();
    if (lost === null) await link.farewell();
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
    closed.resolve();
  };
  const lose = (sentence: string) => {
    if (lost !== null || closing.signal.aborted) return;
    lost = sentence;
    for (const listener of lostListeners) listener(sentence);
    void close();
  };
  client.onclose = () =>
    lose(stdio?.fault?.message ?? (stdio?.ending ? `The server stopped (${stdio.ending}).` : "The server closed the connection."));
  client.onerror = (error) => {
    // The event stream is where answers and changes arrive; the SDK says only in words that it has given it up.
    if (!stdio && /Maximum reconnection attempts|SSE error/.test(messageOf(error)))
      lose("The server's event stream ended and could not be resumed.");
  };
  const check = async () => {
    if (stdio || lost !== null || closing.signal.aborted) return;
    const options = { timeout: checkMilliseconds, signal: closing.signal };
    try {
      await (era === "modern" ? client.discover(options) : client.ping(options));
    } catch (error) {
      // A server that refuses the question is there to refuse it.
      if (!ProtocolError.isInstance(error)) lose(explainFailure(error));
    }
  };
  void keepListening(client, closing.signal);
  // It may have ended while its tools were listed.
  if (!client.transport) client.onclose();

  const info = client.getServerVersion();
  return {
    serverInfo: info ? { name: cleanLine(info.name, 200), version: cleanLine(info.version, 100) } : null,
    era,
    tools,
    latencyMs,
    listTools: () => listUpstreamTools(client, { serverName: alias, signal: closing.signal, timeout: listMilliseconds }),
    inFlight: () => inFlight,
    callTool: async ({ rawName, inputSchema, args, signal, timeoutMs, progress }) => {
      inFlight += 1;
      const lines = keepLatest<Progress>(progressEveryMilliseconds, (step) => progress(progressLine(step)));
      try {
        return await client.callTool(
          { name: rawName, arguments: args },
          {
            signal,
            timeout: timeoutMs + graceMilliseconds,
            onprogress: lines.offer,
            toolDefinition: definitionOf(rawName, inputSchema),
          },
        );
      } finally {
        lines.stop();
        inFlight -= 1;
      }
    },
    lost: () => lost,
    onLost: (listener) => {
      if (lost === null) lostListeners.push(listener);
      else listener(lost);
    },
    onToolsChanged: (listener) => toolsChanged.addEventListener("change", listener),
    check,
    stderr,
    close,
  };
}

/**
 * Given with each call, so that the client looks nothing up: some servers want arguments repeated in headers, and an
 * output schema that the client does not have is one whose patterns it does not run.
 */
function definitionOf(name: string, inputSchema: JsonObject): Tool {
  const known = definitions.get(inputSchema);
  if (known?.name === name) return known;
  const definition = { name, inputSchema };
  const checked: Tool = isSpecType.Tool(definition) ? definition : { name, inputSchema: { type: "object" } };
  definitions.set(inputSchema, checked);
  return checked;
}

const definitions = new WeakMap<JsonObject, Tool>();

/** Progress as one clean line for people: the server's words, or else how far it is. */
function progressLine({ progress, total, message }: Progress): string {
  const words = message ? cleanLine(message, 300) : "";
  return words || (total === undefined ? `${progress}` : `${progress} of ${total}`);
}

/** In the newer protocol, changes arrive on a stream that a proxy may cut; it is opened again while the session lives. */
async function keepListening(client: Client, closing: AbortSignal): Promise<void> {
  let subscription = client.autoOpenedSubscription;
  while (subscription && !closing.aborted) {
    await subscription.closed;
    subscription = undefined;
    while (!subscription && !closing.aborted) {
      try {
        await wait(listenAgainMilliseconds, undefined, { signal: closing, ref: false });
        subscription = await client.listen({ toolsListChanged: true }, { signal: closing });
      } catch (error) {
        if (SdkError.isInstance(error) && error.code === SdkErrorCode.NotConnected) return;
      }
    }
  }
}
