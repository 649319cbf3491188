import "server-only";
import { EventEmitter } from "node:events";
import { sql } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { postgresPool } from "./database";
import { log } from "./log";
import { processWide } from "./process-wide";

/**
 * Something that other parts of the system, on this replica or another, want to know at once. A signal is a hint: the
 * row is the truth, and whoever listens also looks at the rows now and then.
 */
export type Signal =
  | { topic: "config"; workspaceId: string }
  | { topic: "approval"; workspaceId: string; id: string; event: "approval.requested" | "approval.decided" }
  | { topic: "conversation"; conversationId: string }
  /**
   * Something about a turn is new, as its row says when it was `seen` there; `cancel` asks who runs it to stop. It `rests`
   * here: what this process has of it is committed, and nothing more is coming.
   */
  | { topic: "turn"; turnId: string; cancel?: true; seen?: true; rests?: true }
  /** Turns that somebody on the replica `by` follows for the next minute: what is new about them is told there too. */
  | { topic: "watch"; turnIds: string[]; by: string }
  | { topic: "progress"; turnId: string; callId: string; message: string; by: string }
  /** A person moves a running call to the background. */
  | { topic: "promote"; callId: string; by: ActorRef }
  | { topic: "job"; jobId: string; conversationId: string; cancel?: true }
  /** A suspended turn has its answer and may go on; `by` when the replica `by` has been told before everybody else. */
  | { topic: "resume"; turnId: string; by?: string };

const channel = "handrail";
const emitter = () =>
  processWide("bus", () => {
    const bus = new EventEmitter();
    bus.setMaxListeners(0);
    return bus;
  });

const listening = () => processWide("bus.listening", () => ({ now: false }));

/** Whether this process receives the signals of all replicas. */
export const isListening = (): boolean => listening().now;

/** Sends a signal to every replica when the transaction commits. Takes a database-wide lock: never one an audit row. */
export async function signalOnCommit(tx: Db, signal: Signal): Promise<void> {
  await tx.execute(sql`select pg_notify(${channel}, ${JSON.stringify(signal)})`);
}

/** Sends a signal to every replica at once, outside of any transaction. */
export async function signalEverywhere(signal: Signal): Promise<void> {
  await postgresPool().notify(channel, JSON.stringify(signal));
}

/** Tells the listeners of this process only; for what other replicas find in the rows soon enough. */
export function signalHere(signal: Signal): void {
  emitter().emit(signal.topic, signal);
  if (signal.topic === "turn") emitter().emit(turnKey(signal.turnId), signal);
}

const turnKey = (turnId: string) => `turn ${turnId}`;

/** Calls back for each signal about one turn: with thousands of them watched, nobody looks at the others' signals. */
export function onTurnSignal(turnId: string, listener: (signal: Extract<Signal, { topic: "turn" }>) => void): () => void {
  emitter().on(turnKey(turnId), listener);
  return () => emitter().off(turnKey(turnId), listener);
}

/** Calls back for each signal of a topic until the returned function is called. */
export function onSignal<Topic extends Signal["topic"]>(
  topic: Topic,
  listener: (signal: Extract<Signal, { topic: Topic }>) => void,
): () => void {
  emitter().on(topic, listener);
  return () => emitter().off(topic, listener);
}

/** Starts receiving the signals of all replicas; the driver listens again by itself after a lost connection. */
export async function listenForSignals(): Promise<() => Promise<void>> {
  const { unlisten } = await postgresPool().listen(
    channel,
    (payload) => {
      try {
        signalHere(JSON.parse(payload) as Signal);
      } catch (error) {
        log().warn({ payload, error }, "a signal could not be read");
      }
    },
    () => {
      listening().now = true;
      log().debug("listening for signals");
    },
  );
  return async () => {
    listening().now = false;
    await unlisten();
  };
}
