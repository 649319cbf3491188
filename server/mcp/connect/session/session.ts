import "server-only";
import { setTimeout as wait } from "node:timers/promises";
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type Client,
  isSpecType,
  LOG_LEVEL_META_KEY,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type Tool,
} from "@modelcontextprotocol/client";
import type { JsonObject } from "@/contracts/common";
import { type McpLogLevel, type McpPrompt, type McpResource, mcpLogLevels } from "@/contracts/mcp/mcp-contents";
import type { McpCure } from "@/contracts/mcp/mcp-servers";
import { toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import type { ProgressStep, ServerLogLine } from "@/server/tools/calling-client";
import type { ServerInstructions } from "@/server/tools/pins/pin-instructions";
import { passedMeta } from "../content/passed-meta";
import {
  type Completion,
  complete,
  type FilledPrompt,
  getPrompt,
  type PromptAnswers,
  type PromptQuestions,
} from "../content/read-contents";
import { type ResourcePart, readResource } from "../content/read-resource";
import { type ContentListing, listPrompts, listResources } from "../listing/list-contents";
import { listUpstreamTools, type UpstreamListing, type UpstreamTool } from "../listing/list-upstream-tools";
import { readInstructions } from "../listing/read-instructions";
import type { ClientAnswers, Elicit, RunningCall, RunningCalls } from "../questions/running-calls";
import { cleanLine } from "../text/clean-text";
import type { ProgressStep as SentStep } from "../transport/notification-gate";
import type { ServerTransport } from "../transport/server-transport";
import type { CompletedPages } from "./completed-pages";
import { explainFailure } from "./explain-failure";
import { capabilities } from "./own-capabilities";
import { sendToolCall } from "./send-tool-call";
import { type ServerChange, type ServerChanges, subscribe } from "./server-changes";

export type Era = "modern" | "legacy";

export type UpstreamCall = {
  rawName: string;
  inputSchema: JsonObject;
  args: JsonObject;
  signal: AbortSignal;
  timeoutMs: number;
  progress: (message: string, step?: ProgressStep) => void;
  traceparent?: string;
  /** `_meta` of the client's request, for the server. */
  meta?: JsonObject;
  /** The tool's calls must run as tasks. */
  asTask?: boolean;
  conversationId?: string | null;
  /** Answers questions of the server about this call; absent where nobody can be asked. */
  elicit?: Elicit | null;
  standStill?: RunningCall["standStill"];
  /** Answers what the server asks of the client that made the call. */
  client?: ClientAnswers | null;
  /** Receives log messages for that client, from this level on. */
  log?: { level: McpLogLevel; add: (line: ServerLogLine) => void } | null;
};

type PromptGiven = { args: Record<string, string>; answers: PromptAnswers | null };

/** An open connection to a server. */
export type Session = {
  serverInfo: { name: string; version: string } | null;
  era: Era;
  /** The server's tool list when the session was opened. */
  tools: UpstreamTool[];
  /** Reasons why listed tools are missing from `tools`. */
  notes: string[];
  /** Milliseconds from the start of the attempt to the tool list. */
  latencyMs: number;
  instructions: ServerInstructions | null;
  listTools(): Promise<UpstreamListing>;
  listResources(): Promise<ContentListing<McpResource>>;
  listPrompts(): Promise<ContentListing<McpPrompt>>;
  readResource(uri: string, signal: AbortSignal): Promise<ResourcePart[]>;
  getPrompt(name: string, given: PromptGiven, signal: AbortSignal): Promise<FilledPrompt | PromptQuestions>;
  complete(params: Record<string, unknown>, signal: AbortSignal): Promise<Completion>;
  /** Returns the number of calls that wait for an answer. */
  inFlight(): number;
  callTool(call: UpstreamCall): Promise<CallToolResult>;
  /** Returns why the connection ended by itself; null while the connection is open. */
  lost(): string | null;
  /** Returns whether the connection ended because the server's program ended. */
  hasStopped(): boolean;
  /** Calls the listener once when the connection ends without `close`. */
  onLost(listener: (sentence: string) => void): void;
  onChange(listener: (change: ServerChange) => void): void;
  /** Asks the server to tell when a resource changes. @returns a function that takes it back */
  subscribe(uri: string): Promise<() => void>;
  /** Checks whether a server over HTTP still answers, and ends the connection when it does not. */
  check(): Promise<void>;
  /** Returns the last lines of a program's error stream, secrets masked. */
  stderr(): string | null;
  /** Finds what the sandbox keeps from the server's program, in the text of a failed call or else in its error stream. */
  findCures(text?: string): McpCure[];
  close(): Promise<void>;
};

export type SessionParts = {
  alias: string;
  client: Client;
  link: ServerTransport;
  listing: UpstreamListing;
  latencyMs: number;
  stderr: () => string | null;
  /** What the server announces. */
  changes: ServerChanges;
  /** The session's calls, as the client's handlers see them. */
  calls: RunningCalls;
  pages: CompletedPages;
  /** The workspace's models answer the server. */
  mayAskModels: boolean;
};

const listMilliseconds = 30_000;
const wholeListMilliseconds = 300_000;
const checkMilliseconds = 5_000;
const listenAgainMilliseconds = 15_000;
/** The pipeline stops a call at its time limit; the client stops a forgotten call this much later. */
const graceMilliseconds = 1_000;
/** Longest wait of the client for a call that may ask a person. The pipeline stops such a call earlier. */
const maxAnswerMilliseconds = 24 * 3_600_000;

/** Wraps a connected client and hides its transport and protocol era. */
export function makeSession(parts: SessionParts): Session {
  const { alias, client, link, listing, latencyMs, stderr, changes, calls } = parts;
  const { transport, stdio } = link;
  const era: Era = client.getProtocolEra() === "modern" ? "modern" : "legacy";
  const closing = new AbortController();
  const closed = Promise.withResolvers<void>();
  const callTool = makeToolCaller(parts, era, closing.signal);
  let lost: string | null = null;
  const lostListeners: ((sentence: string) => void)[] = [];

  const close = async () => {
    if (closing.signal.aborted) return closed.promise;
    closing.abort();
    if (lost === null) await link.release();
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
    // Answers and changes arrive on the event stream. The SDK reports the stream's end only in the error message.
    if (!stdio && /Maximum reconnection attempts|SSE error/.test(toErrorMessage(error)))
      lose("The server's event stream ended and could not be resumed.");
  };
  const check = async () => {
    if (stdio || lost !== null || closing.signal.aborted) return;
    const options = { timeout: checkMilliseconds, signal: closing.signal };
    try {
      await (era === "modern" ? client.discover(options) : client.ping(options));
    } catch (error) {
      // A server that refuses the check with a protocol error still answers.
      if (!ProtocolError.isInstance(error)) lose(explainFailure(error));
    }
  };
  void keepListening(client, closing.signal);
  // The connection may have ended while the tools were listed, before `onclose` was set.
  if (!client.transport) client.onclose();

  const info = client.getServerVersion();
  return {
    serverInfo: info ? { name: cleanLine(info.name, 200), version: cleanLine(info.version, 100) } : null,
    era,
    ...listing,
    latencyMs,
    listTools: () => {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(wholeListMilliseconds)]);
      return listUpstreamTools(client, { serverName: alias, signal, timeout: listMilliseconds, sendsHeaders: sendsHeaders(client, link) });
    },
    instructions: readInstructions(client.getInstructions()),
    listResources: () => listResources(client, within(closing.signal)),
    listPrompts: () => listPrompts(client, within(closing.signal)),
    readResource: (uri, signal) => readResource(client, uri, { ...within(AbortSignal.any([closing.signal, signal])) }),
    getPrompt: (name, given, signal) => getPrompt(client, name, given, within(AbortSignal.any([closing.signal, signal]))),
    complete: (params, signal) => complete(client, params, within(AbortSignal.any([closing.signal, signal]))),
    inFlight: () => calls.size,
    callTool,
    lost: () => lost,
    hasStopped: () => lost !== null && Boolean(stdio?.ending) && !stdio?.fault,
    onLost: (listener) => {
      if (lost === null) lostListeners.push(listener);
      else listener(lost);
    },
    onChange: (listener) => changes.listen(listener),
    subscribe: (uri) => subscribe(client, uri, within(closing.signal)),
    check,
    findCures: (text) => stdio?.findCures(text) ?? [],
    stderr,
    close,
  };
}

/** Returns the function that sends calls; each call is followed under a progress token of its own. */
function makeToolCaller(parts: SessionParts, era: Era, closing: AbortSignal): Session["callTool"] {
  const { client, link, calls, pages, mayAskModels } = parts;
  const wantLogs = makeLogRequest(parts, era, closing);
  let tokens = 0;
  return async ({ rawName, inputSchema, args, signal, timeoutMs, progress, traceparent, meta, asTask, ...call }) => {
    const { conversationId = null, elicit = null, client: asked = null, log: lines = null, standStill } = call;
    const token = ++tokens;
    const endProgress = link.follow(token, (step) => progress(progressLine(step), numbersOf(step)));
    const sentMeta = {
      ...passedMeta(meta),
      ...(traceparent ? { traceparent } : {}),
      ...(era === "modern" ? envelopeOf({ asked, log: lines, mayAskModels }) : {}),
      progressToken: token,
    };
    const options = {
      signal,
      timeout: timeoutMs + (elicit || asked ? maxAnswerMilliseconds : graceMilliseconds),
      toolDefinition: definitionOf(rawName, inputSchema),
      asTask: asTask === true && runsTasks(client),
      onStatus: (message: string) => progress(cleanLine(message, 300)),
      elicit,
      sample: (params, during, key) => calls.sample(params, during, key),
      roots: (during, key) => calls.roots(during, key),
      onTask: (taskId) => calls.startedTask(taskId),
      pages,
    } satisfies Parameters<typeof sendToolCall>[2];
    try {
      if (lines) await wantLogs(lines.level);
      return await calls.during({ conversationId, elicit, client: asked, log: lines?.add ?? null, standStill }, () =>
        sendToolCall(client, { name: rawName, arguments: args, _meta: sentMeta }, options),
      );
    } finally {
      endProgress();
    }
  };
}

/** Returns a function that asks a server of the older protocol for log messages; it has one level for all its calls, the lowest asked for. */
function makeLogRequest({ alias, client }: SessionParts, era: Era, closing: AbortSignal): (level: McpLogLevel) => Promise<void> {
  let asked: McpLogLevel | null = null;
  const rank = (level: McpLogLevel) => mcpLogLevels.indexOf(level);
  return async (level) => {
    if (era === "modern" || !client.getServerCapabilities()?.logging) return;
    const wanted = rank(level) < rank("info") ? level : "info";
    if (asked !== null && rank(asked) <= rank(wanted)) return;
    asked = wanted;
    await client.setLoggingLevel(wanted, within(closing)).catch((error) => {
      asked = null;
      log().debug({ server: alias, reason: explainFailure(error) }, "an MCP server took no log level");
    });
  };
}

function within(signal: AbortSignal) {
  return { signal, timeout: listMilliseconds };
}

/** Tells whether the server runs calls as tasks of protocol 2025-11-25. */
function runsTasks(client: Client): boolean {
  return client.getProtocolEra() !== "modern" && client.getServerCapabilities()?.tasks?.requests?.tools?.call !== undefined;
}

/** Tells whether calls repeat arguments in headers: only in the newer protocol over HTTP. */
export function sendsHeaders(client: Client, { stdio }: ServerTransport): boolean {
  return !stdio && client.getProtocolEra() === "modern";
}

/**
 * Returns the tool definition for a call, so that the client needs no lookup. The client reads header declarations from
 * the definition. The output schema is omitted, so that the client never runs its patterns.
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

/** Tells a server of the newer protocol, for one call, what its client wants and can answer beside what Handrail answers itself. */
function envelopeOf({ asked, log, mayAskModels }: { asked: ClientAnswers | null; log: UpstreamCall["log"]; mayAskModels: boolean }) {
  const maySample = mayAskModels || asked?.can("sampling");
  return {
    [CLIENT_CAPABILITIES_META_KEY]: { ...capabilities, ...(maySample ? { sampling: {} } : {}) },
    ...(log ? { [LOG_LEVEL_META_KEY]: log.level } : {}),
  };
}

const numbersOf = ({ progress, total }: SentStep): ProgressStep => ({ progress, ...(total === undefined ? {} : { total }) });

/** Formats progress as one clean line: the server's message, else the numbers. */
function progressLine({ progress, total, message }: SentStep): string {
  const words = message ? cleanLine(message, 300) : "";
  return words || (total === undefined ? `${progress}` : `${progress} of ${total}`);
}

/** Reopens the stream of changes in the newer protocol while the session is open, because a proxy may cut the stream. */
async function keepListening(client: Client, closing: AbortSignal): Promise<void> {
  let subscription = client.autoOpenedSubscription;
  while (subscription && !closing.aborted) {
    await subscription.closed;
    subscription = undefined;
    while (!subscription && !closing.aborted) {
      try {
        await wait(listenAgainMilliseconds, undefined, { signal: closing, ref: false });
        subscription = await client.listen(
          { toolsListChanged: true, resourcesListChanged: true, promptsListChanged: true },
          { signal: closing },
        );
      } catch (error) {
        if (SdkError.isInstance(error) && error.code === SdkErrorCode.NotConnected) return;
      }
    }
  }
}
