import "server-only";
import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "@/contracts/common";
import { AppError, toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import type { ToolCallContext, ToolResult } from "@/server/tools/define-tool";
import { provideTools } from "@/server/tools/live-tools";
import type { Challenge } from "../authorization/discover";
import { callHere, callInScope } from "../calls/call-in-scope";
import { callWithRetries, type UpstreamRequest } from "../calls/call-with-retries";
import { ScopedSessions } from "../calls/scoped-sessions";
import type { ResourcePart } from "../content/read-resource";
import { recordLinks } from "../content/record-links";
import { type CallUpstream, describeTools } from "../listing/describe-tools";
import type { UpstreamListing, UpstreamTool } from "../listing/list-upstream-tools";
import { explainOwnFailure } from "../session/explain-failure";
import { type Opening, openSession } from "../session/open-session";
import type { Era, Session } from "../session/session";
import { claimedKeys, conversationKey, placeSession, releaseSession, sessionOwner } from "../session/session-place";
import { findUnexpected } from "../settings/check-expectations";
import { type McpServerRow, openSettings } from "../settings/server-settings";
import { ServerLog } from "../transport/server-log";
import { saveConnected, saveFailure } from "./save-connection";

/** One server's connection on this replica, kept up while the server is enabled. */
export type Connection = {
  server: () => McpServerRow;
  /** Returns the server's last tool list, including tools that the settings do not allow; null before the first list. */
  listed: () => UpstreamListing | null;
  /** Opens a new session and then closes the previous session; with a row, under that row's settings. */
  connect(server?: McpServerRow): Promise<Opening>;
  call: CallUpstream;
  /** Makes a call that another replica relayed; answers `replica` when the session is not here. */
  callHere: CallUpstreamHere;
  /** The open session that lists the server's tools; null while the server is away. */
  session: () => Session | null;
  /** Reads a resource in the session that the conversation's calls use. @throws AppError `unavailable` when that session is elsewhere. */
  readResource(uri: string, context: ToolCallContext): Promise<ResourcePart[]>;
  log: ServerLog;
  /** Number of open sessions of conversations and users. */
  scopedSessions: () => number;
  /** Closes all sessions of conversations and users. */
  closeSessions(why: string): Promise<void>;
  /** Closes the sessions whose conversation was removed, or which another replica has taken over. */
  sweep(conversationId?: string): Promise<void>;
  /** Checks whether the server still answers. */
  check(): Promise<void>;
  close(): Promise<void>;
};

/** Runs a tool in a session of this replica, or names the replica that has the session. */
export type CallUpstreamHere = (...call: Parameters<CallUpstream>) => Promise<{ result: ToolResult } | { replica: string }>;

type Slot = <T>(work: () => Promise<T>) => Promise<T>;

const firstPauseMs = 1_000;
const longestPauseMs = 120_000;
/** After a session of this length, the next loss starts with short pauses again. */
const goodSessionMs = 30_000;
const longestDrainMs = 60_000;
const betweenListingsMs = 2_000;
const betweenLooksMs = 100;
const closed: Opening = { ok: false, error: "The connection is being closed.", stderr: null, isFinal: true, latencyMs: 0 };

/** Returns the pause before an attempt, doubled per failure. Half of it is random, so that replicas do not retry in step. */
export function pauseBefore(failures: number, chance: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 10)) * (0.5 + chance / 2);
}

export function makeConnection(initial: McpServerRow, slot: Slot): Connection {
  let server = initial;
  let session: Session | null = null;
  let connectedAt = 0;
  let listed: UpstreamListing | null = null;
  let era: Era | null = null;
  let failures = 0;
  let failure: string | null = null;
  let retry: NodeJS.Timeout | null = null;
  let attempt: { ended: Promise<Opening>; abort: AbortController } | null = null;
  let listing = Promise.resolve();
  let isListingDue = false;
  let writes = Promise.resolve();
  const draining = new Set<Session>();
  let isClosed = false;
  let details = new Map<string, UpstreamTool>();
  const serverLog = new ServerLog();
  const scoped = new ScopedSessions({
    alias: () => server.alias,
    open: async (signal) => slot(() => openSession({ ...openSettings(server), isIsolated: true }, { signal, era, log: serverLog })),
    idleMs: () => server.sessionIdleSeconds * 1_000,
    release: (key) => releaseSession(server.id, key),
  });

  /** Serialises the writes to the row, so that a loss cannot be stored before the connection that it ended. */
  const save = <T>(write: () => Promise<T>): Promise<T> => {
    const written = writes.then(write);
    writes = written.then(
      () => {},
      () => {},
    );
    return written;
  };

  const connect = (row?: McpServerRow): Promise<Opening> => {
    if (isClosed) return Promise.resolve(closed);
    if (!row && attempt) return attempt.ended;
    if (row) {
      server = row;
      era = null;
      void scoped.closeAll("the settings of the server changed");
    }
    if (retry) clearTimeout(retry);
    retry = null;
    const before = attempt;
    before?.abort.abort();
    const abort = new AbortController();
    const ended = (before?.ended ?? Promise.resolve())
      .then(() => tryToConnect(abort.signal))
      .finally(() => {
        if (attempt?.abort === abort) attempt = null;
      });
    attempt = { ended, abort };
    return ended;
  };

  const tryToConnect = async (signal: AbortSignal): Promise<Opening> => {
    const opening = await open(signal);
    if (signal.aborted || isClosed) {
      if (opening.ok) await opening.session.close();
      return closed;
    }
    // The previous session is replaced, or was opened under outdated settings.
    const previous = session;
    session = opening.ok ? opening.session : null;
    if (previous) void drain(previous);
    if (opening.ok) follow(opening.session);
    else {
      report(opening);
      if (!opening.isFinal) connectLater();
    }
    return opening;
  };

  const open = async (signal: AbortSignal): Promise<Opening> => {
    let opening: Opening | null = null;
    try {
      opening = await slot(() => openSession(openSettings(server), { signal, era, log: serverLog }));
      if (opening.ok && !signal.aborted && !isClosed) await publish(opening.session, opening.session);
      return opening;
    } catch (error) {
      // The secrets cannot be opened, or the database does not answer.
      if (opening?.ok) await opening.session.close();
      return { ok: false, error: explainOwnFailure(error), stderr: null, isFinal: false, latencyMs: 0 };
    }
  };

  const follow = (opened: Session): void => {
    connectedAt = performance.now();
    era = opened.era;
    failure = null;
    opened.onToolsChanged(() => listAgain(opened));
    opened.onLost((sentence) => lose(opened, sentence));
    log().info({ server: server.alias, tools: opened.tools.length, latencyMs: opened.latencyMs, era }, "MCP server connected");
  };

  const publish = async (from: Session, { tools: upstream, notes }: UpstreamListing): Promise<void> => {
    const tools = (await describeTools(server, upstream, call)).filter(({ rawName }) => isAllowed(server, rawName));
    const isWanted = await save(() =>
      saveConnected(server, { serverInfo: from.serverInfo, instructions: from.instructions, tools, notes }),
    );
    if (!isWanted || isClosed) return;
    details = new Map(upstream.map((tool) => [tool.name, tool]));
    listed = { tools: [...upstream], notes };
    provideTools(server.workspaceId, server.id, tools);
  };

  /** Reads the tool list again after the server announced a change, with a pause between two listings. */
  const listAgain = (from: Session): void => {
    if (isListingDue) return;
    isListingDue = true;
    listing = listing.then(async () => {
      isListingDue = false;
      try {
        if (session !== from) return;
        const again = await from.listTools();
        const unexpected = findUnexpected(server, { serverInfo: from.serverInfo, tools: again.tools });
        if (unexpected) reject(from, unexpected);
        else await publish(from, again);
      } catch (error) {
        log().warn({ server: server.alias, reason: toErrorMessage(error) }, "the changed tool list of an MCP server could not be read");
      }
      await wait(betweenListingsMs, undefined, { ref: false });
    });
  };

  /** Closes the session of a server whose list is no longer the expected one. */
  const reject = (from: Session, sentence: string): void => {
    lose(from, sentence);
    void from.close();
  };

  const lose = (gone: Session, sentence: string): void => {
    if (session !== gone || isClosed) return;
    session = null;
    report({ error: sentence, stderr: gone.stderr() });
    if (performance.now() - connectedAt > goodSessionMs) failures = 0;
    if (attempt) return;
    // After a good session the first attempt follows at once, and calls that arrive now wait for that attempt.
    if (failures === 0) {
      failures = 1;
      void connect();
    } else connectLater();
  };

  const report = (why: { error: string; stderr: string | null; signIn?: Challenge }): void => {
    failure = why.error;
    log().warn({ server: server.alias, error: why.error, stderr: why.stderr?.split("\n").slice(-10) }, "MCP server is away");
    void save(() => saveFailure(server, why)).catch((error) =>
      log().warn({ server: server.alias, err: error }, "why an MCP server is away could not be saved"),
    );
  };

  const connectLater = (): void => {
    if (isClosed) return;
    if (retry) clearTimeout(retry);
    retry = setTimeout(() => void connect(), pauseBefore(failures, Math.random()));
    retry.unref();
    failures += 1;
  };

  /** Closes a replaced session when its last call is answered, at the latest after `longestDrainMs`. */
  const drain = async (replaced: Session): Promise<void> => {
    draining.add(replaced);
    const end = performance.now() + longestDrainMs;
    while (replaced.inFlight() > 0 && replaced.lost() === null && !isClosed && performance.now() < end) {
      await wait(betweenLooksMs, undefined, { ref: false });
    }
    await replaced.close();
    draining.delete(replaced);
  };

  const replace = async (gone: Session): Promise<void> => {
    // Changed settings supersede an attempt, which then ends without a session of its own.
    while (session === gone && !isClosed) await connect();
  };

  const requestOf: (...call: Parameters<CallUpstream>) => UpstreamRequest = (tool, args, { origin }) => {
    const { outputSchema, execution } = details.get(tool.rawName) ?? {};
    const onLinks = origin && ((uris: string[]) => recordLinks({ conversationId: origin.conversationId, mcpServerId: server.id }, uris));
    return {
      ...tool,
      args,
      asTask: execution?.taskSupport === "required",
      ...(outputSchema ? { outputSchema: outputSchema as JsonObject } : {}),
      ...(onLinks ? { onLinks } : {}),
    };
  };

  const call: CallUpstream = (tool, args, context) => {
    const request = requestOf(tool, args, context);
    return server.sessionScope === "shared"
      ? callWithRetries({ alias: server.alias, session: readySession, replace }, request, context)
      : callInScope(server, scoped, { tool, request }, context);
  };

  const callInThisReplica: CallUpstreamHere = async (tool, args, context) => {
    const { sessionScope } = server;
    if (sessionScope === "shared") return { result: await call(tool, args, context) };
    const owner = sessionOwner(sessionScope, server.alias, context.origin);
    return callHere(server, scoped, owner, requestOf(tool, args, context), context);
  };

  const readResource = async (uri: string, context: ToolCallContext): Promise<ResourcePart[]> => {
    const { sessionScope, alias } = server;
    if (sessionScope === "shared") return (await readySession(context)).readResource(uri, context.signal);
    const owner = sessionOwner(sessionScope, alias, context.origin);
    await scoped.settled(owner.key);
    if (!scoped.has(owner.key) && (await placeSession(server.id, owner)).kind === "there") {
      throw new AppError(
        "unavailable",
        `Another replica keeps the session of ${alias}, and its resources are readable only there. Use its tools.`,
      );
    }
    return scoped.use(owner.key, async (route) => (await route.session(context)).readResource(uri, context.signal));
  };

  const sweep = async (conversationId?: string): Promise<void> => {
    const keys = scoped.keys().filter((key) => conversationId === undefined || key === conversationKey(conversationId));
    if (keys.length === 0) return;
    const claimed = await claimedKeys(server.id);
    for (const key of keys) if (!claimed.has(key)) void scoped.close(key, "its conversation was removed, or another replica has it");
  };

  /** Returns the session, or waits for the session that is opening. @throws AppError `unavailable`. */
  const readySession = async ({ signal }: ToolCallContext): Promise<Session> => {
    if (!session && attempt) await Promise.race([attempt.ended, aborted(signal)]);
    signal.throwIfAborted();
    if (session) return session;
    const why = failure ? ` ${failure}` : "";
    throw new AppError("unavailable", `${server.alias} is not connected.${why} Go on without it, or try again later.`);
  };

  return {
    server: () => server,
    listed: () => listed,
    connect,
    call,
    callHere: callInThisReplica,
    session: () => session,
    readResource,
    log: serverLog,
    scopedSessions: () => scoped.size,
    closeSessions: (why) => scoped.closeAll(why),
    sweep,
    check: async () => session?.check(),
    close: async () => {
      isClosed = true;
      if (retry) clearTimeout(retry);
      attempt?.abort.abort();
      const last = session;
      session = null;
      const scopedClosed = scoped.closeAll("the server was disconnected", { isFinal: true });
      await Promise.all([scopedClosed, last?.close(), attempt?.ended, ...[...draining].map((replaced) => replaced.close())]);
      await writes;
    },
  };
}

export function isAllowed({ allowedTools }: Pick<McpServerRow, "allowedTools">, rawName: string): boolean {
  return allowedTools === null || allowedTools.includes(rawName);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
