import "server-only";
import type { JobWithMetadata, PgBoss } from "pg-boss";
import type { z } from "zod";
import { storableText } from "@/server/platform/database/storable";
import { toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import type { Queue } from "@/server/platform/queue";
import type { ItemData } from "./engine";

export type Attempt = {
  /** Number of the attempt, from 1. */
  number: number;
  /** Aborts when the process stops or another process has taken the item. */
  signal: AbortSignal;
};

/** A queue with its handler. The handler may run twice for an item, because another process repeats the attempt of a dead process. */
export type HandledQueue = { queue: Queue; handle: (input: object, attempt: Attempt) => Promise<void> };

export function handled<Input extends z.ZodObject>(
  queue: Queue<Input>,
  handle: (input: z.output<Input>, attempt: Attempt) => Promise<void>,
): HandledQueue {
  return { queue: queue as unknown as Queue, handle: (input, attempt) => handle(queue.input.parse(input), attempt) };
}

export type QueueRunner = {
  name: string;
  /** Takes due items up to the queue's concurrency. Each item that ends makes room and looks again. */
  look(): Promise<void>;
  /** Sends the heartbeat of the active items, and aborts items that this process no longer holds. */
  touch(): Promise<void>;
  /** Waits until no item is active. */
  settled(): Promise<void>;
  /** Stops taking items. */
  stop(): void;
  /** Aborts and fails the active items, so that another process retries them soon. */
  giveBack(): Promise<void>;
};

type Item = JobWithMetadata<ItemData>;
type Active = { item: Item; claim: AbortController; ended: Promise<void> };

/** Creates a runner for one queue. Any number of runners in any number of processes share the items. */
export function runQueue(boss: PgBoss, { queue, handle }: HandledQueue): QueueRunner {
  const { name, concurrency, groupConcurrency } = queue;
  const active = new Map<string, Active>();
  let looking: Promise<void> | null = null;
  let again = false;
  let stopped = false;

  const begin = (item: Item) => {
    const claim = new AbortController();
    const ended = attempt(boss, { queue, handle }, item, claim.signal)
      // The item leaves `active` and gets no more heartbeats, so pg-boss repeats the attempt.
      .catch((error) => log().warn({ err: error, queue: name, item: item.id }, "the end of an attempt could not be stored"))
      .then(() => {
        active.delete(item.id);
        void look();
      });
    active.set(item.id, { item, claim, ended });
  };
  const takeDue = async (): Promise<void> => {
    try {
      do {
        again = false;
        while (!stopped && active.size < concurrency) {
          const items = await boss.fetch<ItemData>(name, {
            batchSize: concurrency - active.size,
            includeMetadata: true,
            ...(groupConcurrency === null ? {} : { groupConcurrency }),
          });
          for (const item of items) begin(item);
          if (items.length === 0) break;
        }
      } while (again && !stopped);
    } catch (error) {
      log().debug({ err: error, queue: name }, "due work could not be read");
    }
  };
  const look = async (): Promise<void> => {
    again = true;
    looking ??= takeDue().finally(() => {
      looking = null;
      // `look` was called after the last fetch and before this callback.
      if (again && !stopped) void look();
    });
    await looking;
  };

  return {
    name,
    look,
    async touch() {
      const held = [...active.values()];
      if (held.length === 0) return;
      const { settled } = (await boss.touch(
        name,
        held.map(({ item }) => item),
      )) as { settled?: string[] };
      if (!settled) return;
      for (const { item, claim } of held) if (!settled.includes(item.id)) claim.abort();
    },
    async settled() {
      while (looking || active.size > 0) await Promise.all([looking, ...[...active.values()].map(({ ended }) => ended)]);
    },
    stop() {
      stopped = true;
    },
    async giveBack() {
      for (const { item, claim } of active.values()) {
        claim.abort();
        await boss.fail(name, item, { message: "The server stopped during this attempt." });
      }
    },
  };
}

async function attempt(boss: PgBoss, { queue: { name }, handle }: HandledQueue, item: Item, signal: AbortSignal): Promise<void> {
  const number = item.retryCount + 1;
  try {
    // A scheduled item has no input; an item of an earlier version is the input itself.
    const { data } = item;
    await handle(data && "input" in data ? data.input : (data ?? {}), { number, signal });
  } catch (error) {
    log().warn({ err: error, queue: name, item: item.id, attempt: number }, "an attempt of durable work failed");
    await boss.fail(name, item, { message: storableText(toErrorMessage(error)) });
    return;
  }
  await boss.complete(name, item);
}
