import "server-only";
import { AppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import type { ToolCallContext } from "@/server/tools/define-tool";
import { ScopedSessions } from "../calls/scoped-sessions";
import type { UpstreamListing } from "../listing/list-upstream-tools";
import { explainOwnFailure } from "../session/explain-failure";
import { type Opening, openSession } from "../session/open-session";
import type { ServerChange } from "../session/server-changes";
import type { Era, Session } from "../session/session";
import { claimedKeys, conversationKey, isLocalKey, releaseSession } from "../session/session-place";
import { type McpServerRow, openSettings, type ServerSettings } from "../settings/server-settings";
import { ServerLog } from "../transport/server-log";
import { keepListing } from "./keep-listing";
import { keepSession } from "./keep-session";
import { saveFailure } from "./save-connection";
import { type UpstreamCalls, upstreamCalls } from "./upstream-calls";
import { WatchedResources } from "./watched-resources";

/** One server's connection on this replica, kept up while the server is enabled. */
export type Connection = UpstreamCalls & {
  server: () => McpServerRow;
  /** Returns the server's last tool list, including tools that the settings do not allow; null before the first list. */
  listed: () => UpstreamListing | null;
  /** Opens a new session and then closes the previous session; with a row, under that row's settings. */
  connect(server?: McpServerRow): Promise<Opening>;
  /** Opens the session that lists the tools anew, with another person's sign-in; the sessions of persons stay. */
  listWith(server: McpServerRow): Promise<Opening>;
  /** The open session that lists the server's tools; null while the server is away. */
  session: () => Session | null;
  log: ServerLog;
  /** Calls back for what the server announces, in every session. @returns a function that ends it */
  onChange(listener: (change: ServerChange) => void): () => void;
  /** Hears of changes of a resource until the returned function is called. */
  watch(uri: string): () => void;
  /** Number of open sessions of conversations, users and persons. */
  scopedSessions: () => number;
  /** Closes all sessions of conversations, users and persons. */
  closeSessions(why: string): Promise<void>;
  /** Closes the sessions whose conversation was removed, or which another replica has taken over. */
  sweep(conversationId?: string): Promise<void>;
  /** Checks whether the server still answers. */
  check(): Promise<void>;
  close(): Promise<void>;
};

type Slot = <T>(work: () => Promise<T>) => Promise<T>;

/** Makes the connection of one server from its parts: a kept session, the list of its tools, and the calls. */
export function makeConnection(initial: McpServerRow, slot: Slot): Connection {
  let server = initial;
  let era: Era | null = null;
  const serverLog = new ServerLog();
  const listeners = new Set<(change: ServerChange) => void>();
  const save = inOrder();
  const scoped = new ScopedSessions({
    alias: () => server.alias,
    open: async (signal, person) =>
      slot(() => openSession({ ...openSettings(server), person, isIsolated: true }, { signal, era, log: serverLog })),
    idleMs: () => server.sessionIdleSeconds * 1_000,
    release: (key) => releaseSession(server.id, key),
  });

  const kept = keepSession({
    open: async (signal) => {
      let opening: Opening | null = null;
      try {
        opening = await slot(() => openSession(listingSettings(server), { signal, era, log: serverLog }));
        if (opening.ok && !signal.aborted && !kept.isClosed()) await listing.publish(opening.session, opening.session);
        return opening;
      } catch (error) {
        // The secrets cannot be opened, or the database does not answer.
        if (opening?.ok) await opening.session.close();
        return { ok: false, error: explainOwnFailure(error), stderr: null, isFinal: false, latencyMs: 0 };
      }
    },
    opened: (session) => {
      era = session.era;
      session.onChange((change) => {
        if (change.kind === "tools") listing.readAgain(session);
        for (const listener of listeners) listener(change);
      });
      watched.resume(session);
      const { tools, latencyMs } = session;
      log().info({ server: server.alias, tools: tools.length, latencyMs, era }, "MCP server connected");
    },
    failed: (why) => {
      if (why.wasOpen) serverLog.note(`${why.error}${why.stderr ? ` Its last output:\n${why.stderr}` : ""}`);
      log().warn({ server: server.alias, error: why.error, stderr: why.stderr?.split("\n").slice(-10) }, "MCP server is away");
      void save(() => saveFailure(server, why)).catch((error) =>
        log().warn({ server: server.alias, err: error }, "why an MCP server is away could not be saved"),
      );
    },
  });

  const watched = new WatchedResources(() => kept.current());

  /** Returns the session, or waits for the session that is opening. @throws AppError `unavailable`. */
  const readySession = async ({ signal }: Pick<ToolCallContext, "signal">): Promise<Session> => {
    if (!kept.current()) await kept.settled(signal);
    signal.throwIfAborted();
    const session = kept.current();
    if (session) return session;
    const why = kept.why();
    throw new AppError("unavailable", `${server.alias} is not connected.${why ? ` ${why}` : ""} Go on without it, or try again later.`);
  };

  const calls = upstreamCalls({
    server: () => server,
    find: (rawName) => listing.find(rawName),
    shared: { session: readySession, replace: kept.replace },
    current: kept.current,
    scoped,
  });
  const listing = keepListing({
    server: () => server,
    call: calls.call,
    isCurrent: (session) => kept.current() === session,
    isClosed: kept.isClosed,
    save,
    reject: (from, sentence) => {
      kept.lose(from, sentence);
      void from.close();
    },
  });

  return {
    ...calls,
    server: () => server,
    listed: listing.listed,
    connect: (row) => {
      if (!row || kept.isClosed()) return kept.open();
      server = row;
      era = null;
      void scoped.closeAll("the settings of the server changed");
      return kept.reopen();
    },
    listWith: (row) => {
      server = row;
      return kept.reopen();
    },
    session: kept.current,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    watch: (uri) => watched.watch(uri),
    log: serverLog,
    scopedSessions: () => scoped.size,
    closeSessions: (why) => scoped.closeAll(why),
    sweep: (conversationId) => sweepScoped(server.id, scoped, conversationId),
    check: async () => kept.current()?.check(),
    close: async () => {
      await Promise.all([scoped.closeAll("the server was disconnected", { isFinal: true }), kept.close()]);
      await save(async () => {});
    },
  };
}

/** The settings of the session that lists the tools; it carries a person's sign-in while the workspace has none. */
function listingSettings(server: McpServerRow): ServerSettings {
  const { listedWith } = server;
  return { ...openSettings(server), person: listedWith && { id: listedWith.personId, name: listedWith.name } };
}

async function sweepScoped(serverId: string, scoped: ScopedSessions, conversationId?: string): Promise<void> {
  const keys = scoped
    .keys()
    .filter((key) => !isLocalKey(key) && (conversationId === undefined || key.startsWith(conversationKey(conversationId))));
  if (keys.length === 0) return;
  const claimed = await claimedKeys(serverId);
  for (const key of keys) if (!claimed.has(key)) void scoped.close(key, "its conversation was removed, or another replica has it");
}

/** Returns a function that runs writes one after another, so that a loss cannot be stored before the connection that it ended. */
function inOrder(): <T>(write: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (write) => {
    const written = last.then(write);
    last = written.catch(() => {});
    return written;
  };
}
