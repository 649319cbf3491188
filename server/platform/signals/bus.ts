import "server-only";
import { EventEmitter } from "node:events";
import { sql } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { WorkQueueName } from "@/contracts/operations/work";
import type { Db } from "@/db/client";
import { postgresPool } from "../database/database";
import { log } from "../log";
import { processWide } from "../process-wide";

type ApprovalEventName = "approval.requested" | "approval.voted" | "approval.escalated" | "approval.decided";

/**
 * A message between parts of the system, on this replica or all replicas. A signal may get lost and only says "look now":
 * the row is the truth, so every listener also reads the rows from time to time.
 */
export type Signal =
  | { topic: "config"; workspaceId: string }
  /** A session ended, a key was revoked or a member lost permissions. */
  | { topic: "access" }
  | { topic: "approval"; workspaceId: string; conversationId: string; id: string; event: ApprovalEventName }
  /** A tool was quarantined, or a change of a tool was decided or withdrawn. */
  | { topic: "tool_change"; workspaceId: string; event: "tool.quarantined" | "tool.pin_decided" }
  | { topic: "conversation"; conversationId: string }
  /**
   * A turn changed. `seen`: this process found the change in the row. `cancel`: asks the owner of the turn to stop it.
   * `rests`: this process has committed everything and expects no further change. `waits`: a running call began to wait for people
   * or durable work, or goes on.
   */
  | { topic: "turn"; turnId: string; cancel?: true; seen?: true; rests?: true; waits?: boolean }
  /** A run changed. `cancel`: asks the owner of the run to stop it. `delta`: the owner received more of the model's reply. */
  | { topic: "run"; runId: string; cancel?: true; delta?: true }
  /** The replica `by` follows this run for the next minute. `again`: it lost a part of the text and needs all of it. */
  | { topic: "run_watch"; runId: string; by: string; again?: true }
  /** More of the reply that the replica `by` writes; `place` is `text`, `reasoning` or the index of a call. */
  | {
      topic: "run_text";
      runId: string;
      by: string;
      position: number;
      attempt: number;
      place: string;
      name?: string;
      offset: number;
      text: string;
    }
  /** Somebody on the replica `by` follows these turns for the next minute, so their owners also signal changes to that replica. */
  | { topic: "watch"; turnIds: string[]; by: string }
  | { topic: "progress"; turnId: string; callId: string; message: string; by: string }
  /** A person moved a running call to the background. */
  | { topic: "promote"; callId: string; by: ActorRef }
  /** A work item was queued that is due now. */
  | { topic: "work"; queue: WorkQueueName }
  /** A message waits for the replica `to`. */
  | { topic: "mail"; to: string }
  | { topic: "job"; jobId: string; conversationId: string; cancel?: true }
  /** A suspended turn got its answer and may go on; `by` names the replica that was told first. */
  | { topic: "resume"; turnId: string; by?: string };

const channel = "handrail";
const emitter = () =>
  processWide("bus", () => {
    const bus = new EventEmitter();
    bus.setMaxListeners(0);
    return bus;
  });

const listening = () => processWide("bus.listening", () => ({ now: false }));

/** Returns true while this process receives the signals of all replicas. */
export const isListening = (): boolean => listening().now;

/** Sends a signal to every replica when the transaction commits. NOTIFY takes a database-wide lock, so never call it per audit row. */
export async function signalOnCommit(tx: Db, signal: Signal): Promise<void> {
  await tx.execute(sql`select pg_notify(${channel}, ${JSON.stringify(signal)})`);
}

/** Sends a signal to every replica at once, outside of a transaction. */
export async function signalEverywhere(signal: Signal): Promise<void> {
  await postgresPool().notify(channel, JSON.stringify(signal));
}

/** Signals the listeners of this process only, for changes that other replicas find in the rows soon enough. */
export function signalHere(signal: Signal): void {
  emitter().emit(signal.topic, signal);
  if (signal.topic === "turn") emitter().emit(turnKey(signal.turnId), signal);
}

const turnKey = (turnId: string) => `turn ${turnId}`;

/** Calls back for each signal about one turn. Keyed by turn, so that with thousands of followed turns no listener filters. */
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

/** Starts receiving the signals of all replicas; the driver reconnects and listens again by itself. */
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
