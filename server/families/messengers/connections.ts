import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import { messengers } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { storableText } from "@/server/platform/database/storable";
import { toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { onSignal } from "@/server/platform/signals/bus";
import { tryLock } from "@/server/replicas/presence";
import { callbackAddressOf, driverOf, findMessenger, type MessengerRow } from "./account";
import { storeEvents } from "./receive/store-events";
import { stopShowing } from "./show-while-written";

const lookEveryMs = 5_000;
const backOffMs = [2_000, 4_000, 8_000, 16_000, 30_000];
/** A connection that held so long has worked: the next failure begins with the shortest pause. */
const workedMs = 60_000;

type Held = { version: number; stop: AbortController; ended: Promise<void> };

/** Keeps the connections of messengers: each on one replica at a time, which holds its lock. @returns how to stop */
export async function keepConnections(): Promise<() => Promise<void>> {
  const held = new Map<string, Held>();
  const stopped = new AbortController();
  let looking: Promise<void> | null = null;
  let again = false;
  const look = () => {
    again = true;
    looking ??= (async () => {
      while (again && !stopped.signal.aborted) {
        again = false;
        await lookAtMessengers(held, stopped.signal).catch((error: unknown) => log().debug({ err: error }, "messengers could not be read"));
      }
      looking = null;
    })();
  };
  const off = onSignal("config", look);
  const timer = setInterval(look, lookEveryMs);
  look();
  return async () => {
    off();
    clearInterval(timer);
    stopped.abort();
    await looking;
    for (const { stop } of held.values()) stop.abort();
    await Promise.all([...held.values()].map(({ ended }) => ended));
    await stopShowing();
  };
}

async function lookAtMessengers(held: Map<string, Held>, stopped: AbortSignal): Promise<void> {
  const wanted = await db().select({ id: messengers.id, version: messengers.version }).from(messengers).where(eq(messengers.enabled, true));
  const versions = new Map(wanted.map(({ id, version }) => [id, version]));
  for (const [id, { version, stop, ended }] of held) {
    if (versions.get(id) === version) continue;
    stop.abort();
    await ended;
  }
  for (const { id, version } of wanted) {
    if (held.has(id) || stopped.aborted) continue;
    const unlock = await tryLock(`messenger ${id}`);
    if (!unlock) continue;
    const stop = new AbortController();
    const ended = keep(id, version, stop.signal).finally(() => {
      held.delete(id);
      unlock();
    });
    held.set(id, { version, stop, ended });
  }
}

/** Keeps one account: its connection, or the registration of its callback address. Ends when the signal aborts or the account changes. */
async function keep(id: string, version: number, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const messenger = await findMessenger(id).catch(() => null);
    if (!messenger?.enabled || messenger.version !== version) return;
    const startedAt = Date.now();
    try {
      if (messenger.transport === "connection") {
        await hold(messenger, signal);
        if (!signal.aborted) throw new Error("The platform ended the connection.");
      } else {
        await registerCallback(messenger, signal);
        return await untilAborted(signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      failures = Date.now() - startedAt > workedMs ? 1 : failures + 1;
      await noteFailure(messenger, error);
      await pause(backOffMs[Math.min(failures, backOffMs.length) - 1], undefined, { signal }).catch(() => {});
    }
  }
}

async function hold(messenger: MessengerRow, signal: AbortSignal): Promise<void> {
  const { id, cursor } = messenger;
  await setState(id, "connecting");
  const driver = await driverOf(await withBot(messenger, signal));
  if (!driver.connect) throw new Error("This platform has no connection. Choose the webhook.");
  await driver.connect({
    cursor,
    signal,
    opened: () => void setState(id, "connected").catch(() => {}),
    store: async (events, next, notices) => {
      await storeEvents((await findMessenger(id)) ?? messenger, events, next, notices);
    },
  });
}

async function registerCallback(messenger: MessengerRow, signal: AbortSignal): Promise<void> {
  const driver = await driverOf(await withBot(messenger, signal));
  await driver.register?.(callbackAddressOf(messenger), signal);
  await setState(messenger.id, "connected");
}

/** Asks the platform who the agent is, and keeps the answer. @throws PlatformError when the credentials do not hold */
export async function withBot(messenger: MessengerRow, signal: AbortSignal): Promise<MessengerRow> {
  const bot = await (await driverOf(messenger)).identify(signal);
  if (bot.id === messenger.bot?.id && bot.name === messenger.bot.name) return messenger;
  await db().update(messengers).set({ bot }).where(eq(messengers.id, messenger.id));
  return { ...messenger, bot };
}

async function setState(id: string, state: "connecting" | "connected"): Promise<void> {
  const working = state === "connected" ? { lastError: null } : {};
  await db()
    .update(messengers)
    .set({ state, ...working })
    .where(and(eq(messengers.id, id), eq(messengers.enabled, true)));
}

/** Notes why an account does not work, for the page. */
export async function noteFailure({ id, name }: MessengerRow, error: unknown): Promise<void> {
  const lastError = storableText(toErrorMessage(error)).slice(0, 500);
  log().info({ messenger: name, reason: lastError }, "a messenger does not work");
  await db()
    .update(messengers)
    .set({ state: "failing", lastError, lastErrorAt: sql`now()` })
    .where(eq(messengers.id, id))
    .catch(() => {});
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
