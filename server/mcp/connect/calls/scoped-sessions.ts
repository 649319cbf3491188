import "server-only";
import { AppError, toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import type { ToolCallContext } from "@/server/tools/define-tool";
import type { Opening } from "../session/open-session";
import type { Session } from "../session/session";
import type { SessionOwner } from "../session/session-place";
import type { CallRoute } from "./call-with-retries";

type Owner = Pick<SessionOwner, "key" | "person">;

type Entry = Owner & {
  opening: Promise<Session>;
  session: Session | null;
  abort: AbortController;
  /** Calls that use the session. */
  uses: number;
  idleSince: number;
  idle: NodeJS.Timeout | null;
};

type PoolParts = {
  alias: () => string;
  open: (signal: AbortSignal, person: SessionOwner["person"]) => Promise<Opening>;
  idleMs: () => number;
  /** Called after a session was closed. */
  release: (key: string) => Promise<void>;
};

/** Limit of open sessions of one server on this replica, because each may be a program. */
const maxSessions = 50;
const maxEndingsKept = 1_000;

/** The sessions of one server that belong to a conversation, a user or a signed-in person each, on this replica. */
export class ScopedSessions {
  private readonly entries = new Map<string, Entry>();
  private readonly closing = new Map<string, Promise<void>>();
  /** Reasons why earlier sessions ended, for the note to the next call of their owner. */
  private readonly endings = new Map<string, string>();
  private isClosed = false;

  constructor(private readonly parts: PoolParts) {}

  has(key: string): boolean {
    return this.entries.has(key);
  }

  get size(): number {
    return this.entries.size;
  }

  /** Resolves when an earlier session of this owner is closed and its claim released. */
  async settled(key: string): Promise<void> {
    await this.closing.get(key);
  }

  /** Returns and forgets why the owner's earlier session ended; null without an earlier session. */
  takeEnding(key: string): string | null {
    const ending = this.endings.get(key) ?? null;
    this.endings.delete(key);
    return ending;
  }

  /** Runs work with the owner's session, which opens when the work asks for it and stays open until it is idle. */
  async use<T>(owner: Owner, work: (route: CallRoute) => Promise<T>): Promise<T> {
    const entry = this.enter(owner);
    entry.uses += 1;
    if (entry.idle) clearTimeout(entry.idle);
    try {
      return await work(this.routeOf(entry));
    } finally {
      entry.uses -= 1;
      if (entry.uses === 0) this.rest(entry);
    }
  }

  /** Closes one session after its calls have ended. The next call of its owner opens a new one. */
  close(key: string, why: string): Promise<void> {
    const entry = this.entries.get(key);
    return entry ? this.end(entry, why) : (this.closing.get(key) ?? Promise.resolve());
  }

  /** Closes all sessions. */
  async closeAll(why: string, { isFinal = false } = {}): Promise<void> {
    if (isFinal) this.isClosed = true;
    await Promise.all([...[...this.entries.values()].map((entry) => this.end(entry, why)), ...this.closing.values()]);
  }

  keys(): string[] {
    return [...this.entries.keys()];
  }

  private enter({ key, person }: Owner): Entry {
    const known = this.entries.get(key);
    if (known) return known;
    if (this.isClosed) throw new AppError("unavailable", `${this.parts.alias()} is being disconnected. Try again later.`);
    this.makeRoom();
    const entry: Entry = {
      key,
      person,
      opening: Promise.reject(new Error("not opened yet")),
      session: null,
      abort: new AbortController(),
      uses: 0,
      idleSince: 0,
      idle: null,
    };
    entry.opening.catch(() => {});
    this.entries.set(key, entry);
    return entry;
  }

  /** Closes the session that was idle for longest. @throws AppError when every session is in use. */
  private makeRoom(): void {
    if (this.entries.size < maxSessions) return;
    const [oldest] = [...this.entries.values()].filter(({ uses }) => uses === 0).sort((a, b) => a.idleSince - b.idleSince);
    if (!oldest) throw new AppError("unavailable", `${this.parts.alias()} has ${maxSessions} sessions in use. Try again later.`);
    void this.end(oldest, "its place was needed for other conversations");
  }

  private routeOf(entry: Entry): CallRoute {
    return {
      alias: this.parts.alias(),
      person: entry.person?.name ?? null,
      session: ({ signal }) => this.sessionOf(entry, signal),
      replace: async (gone) => {
        if (entry.session === gone) entry.session = null;
        await gone.close();
      },
    };
  }

  private async sessionOf(entry: Entry, signal: ToolCallContext["signal"]): Promise<Session> {
    if (entry.session) return entry.session;
    // Several calls share one opening, so a stopped call does not end it.
    entry.opening = this.isOpening.has(entry) ? entry.opening : this.open(entry);
    await Promise.race([entry.opening, stopped(signal)]);
    return entry.opening;
  }

  private readonly isOpening = new WeakSet<Entry>();

  private async open(entry: Entry): Promise<Session> {
    this.isOpening.add(entry);
    try {
      const opening = await this.parts.open(entry.abort.signal, entry.person);
      if (!opening.ok) {
        throw new AppError(
          "unavailable",
          `${this.parts.alias()} could not open a session. ${opening.error} Go on without it, or try again later.`,
        );
      }
      const { session } = opening;
      if (entry.abort.signal.aborted) {
        await session.close();
        throw new AppError("unavailable", `${this.parts.alias()} is being disconnected. Try again later.`);
      }
      entry.session = session;
      session.onLost((sentence) => {
        if (entry.session !== session) return;
        entry.session = null;
        this.remember(entry.key, sentence);
      });
      return session;
    } finally {
      this.isOpening.delete(entry);
    }
  }

  private rest(entry: Entry): void {
    if (this.entries.get(entry.key) !== entry) return;
    entry.idleSince = performance.now();
    const idleMs = entry.session ? this.parts.idleMs() : 0;
    entry.idle = setTimeout(() => {
      if (entry.uses === 0) void this.end(entry, `it was idle for ${Math.round(this.parts.idleMs() / 1_000)} seconds`);
    }, idleMs);
    entry.idle.unref();
  }

  private end(entry: Entry, why: string): Promise<void> {
    if (this.entries.get(entry.key) !== entry) return this.closing.get(entry.key) ?? Promise.resolve();
    this.entries.delete(entry.key);
    if (entry.idle) clearTimeout(entry.idle);
    if (entry.session) this.remember(entry.key, why);
    const ended = this.endNow(entry)
      .catch((error) => log().warn({ reason: toErrorMessage(error) }, "a session of an MCP server did not close cleanly"))
      .finally(() => this.closing.delete(entry.key));
    this.closing.set(entry.key, ended);
    return ended;
  }

  private async endNow(entry: Entry): Promise<void> {
    entry.abort.abort();
    await (this.isOpening.has(entry) ? entry.opening.catch(() => {}) : null);
    await entry.session?.close();
    await this.parts.release(entry.key);
  }

  private remember(key: string, why: string): void {
    this.endings.delete(key);
    this.endings.set(key, why);
    for (const oldest of this.endings.keys()) {
      if (this.endings.size <= maxEndingsKept) break;
      this.endings.delete(oldest);
    }
  }
}

function stopped(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
