import type { JsonObject } from "@/contracts/common";
import type { subscribedEventWords } from "@/contracts/generated";
import type { Db } from "@/db/client";
import { processWide } from "../process-wide";

export type PublishedEventName = keyof typeof subscribedEventWords;

export type PublishedEvent = {
  workspaceId: string;
  event: PublishedEventName;
  turnId?: string;
  /** The turn's own address, which gets the event whether or not a subscriber wants it. */
  callbackUrl?: string | null;
  /** Becomes `data` in the delivered body. */
  payload: JsonObject;
};

/** A family that delivers events to the outside. */
export type Subscriber = {
  /** Stores events in the publisher's transaction: they are sent if and only if it commits. */
  queue: (tx: Db, events: readonly PublishedEvent[]) => Promise<void>;
  /** Returns true when anybody in the workspace wants an event; reads from memory. */
  isWanted: (workspaceId: string, event: PublishedEventName, configVersion?: number) => Promise<boolean>;
};

const registry = () => processWide("outbox", () => new Map<string, Subscriber>());

/** Registers a family's subscriber; the core publishes without knowing the families. */
export function subscribe(family: string, subscriber: Subscriber): void {
  registry().set(family, subscriber);
}

/** Publishes in the caller's transaction. Check `isEventWanted` first for frequent events that hardly anybody wants. */
export async function publishEvents(tx: Db, events: readonly PublishedEvent[]): Promise<void> {
  if (events.length === 0) return;
  for (const { queue } of registry().values()) await queue(tx, events);
}

/**
 * Returns true when any subscriber wants an event of the workspace.
 * @param configVersion of the workspace, if the caller has just read it
 */
export async function isEventWanted(workspaceId: string, event: PublishedEventName, configVersion?: number): Promise<boolean> {
  for (const { isWanted } of registry().values()) if (await isWanted(workspaceId, event, configVersion)) return true;
  return false;
}
