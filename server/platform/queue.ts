import type { z } from "zod";
import type { WorkQueueName } from "@/contracts/operations/work";
import type { Db } from "@/db/client";
import { processWide } from "./process-wide";

/** One kind of durable work: the schema of its items, and its retries. `jobs/` has the handlers. */
export type Queue<Input extends z.ZodObject = z.ZodObject> = {
  name: WorkQueueName;
  /** Names the queue to admins. */
  title: string;
  description: string;
  input: Input;
  /** A failed attempt is repeated, each time after twice the delay, until the attempts are used up. */
  retry: { attempts: number; firstDelaySeconds: number; maxDelaySeconds: number };
  /** Items with the same key run one after another, in the order of their transactions. */
  ordered: boolean;
  /** The most items that one process works on at the same time. */
  concurrency: number;
  /** The most items of one group that all processes together work on at the same time. */
  groupConcurrency: number | null;
  /** Cron expression in UTC; each time queues one item without input. */
  schedule: string | null;
};

type Optional = "retry" | "ordered" | "concurrency" | "groupConcurrency" | "schedule";

export function defineQueue<Input extends z.ZodObject>(
  spec: Omit<Queue<Input>, Optional> & Partial<Pick<Queue<Input>, Optional>>,
): Queue<Input> {
  return {
    retry: { attempts: 10, firstDelaySeconds: 1, maxDelaySeconds: 300 },
    ordered: false,
    concurrency: 8,
    groupConcurrency: null,
    schedule: null,
    ...spec,
  };
}

export type NewWorkItem<Input> = {
  input: Input;
  /** Null for work of the product itself. */
  workspaceId: string | null;
  startAfter?: Date;
  /** For an ordered queue: items with equal keys run in order. */
  key?: string;
  /** For a queue with `groupConcurrency`. */
  group?: string;
};

export type Engine = {
  insert(tx: Db, queue: Queue, items: readonly NewWorkItem<object>[]): Promise<void>;
};

const holder = () => processWide<{ engine: Engine | null }>("engine", () => ({ engine: null }));

export function provideEngine(engine: Engine | null): void {
  holder().engine = engine;
}

/** Returns true when work can be queued. */
export const hasEngine = (): boolean => holder().engine !== null;

/** Queues items inside the caller's transaction: they exist if and only if the transaction commits. */
export async function enqueue<Input extends z.ZodObject>(
  tx: Db,
  queue: Queue<Input>,
  items: readonly NewWorkItem<z.input<Input>>[],
): Promise<void> {
  if (items.length === 0) return;
  const { engine } = holder();
  if (!engine) throw new Error("Durable work cannot be queued: its engine is not running");
  await engine.insert(tx, queue as unknown as Queue, items as readonly NewWorkItem<object>[]);
}
