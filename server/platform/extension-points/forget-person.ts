import type { SQL } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import type { PersonKey } from "@/db/personal-text";
import { processWide } from "../process-wide";

/** A person, or one conversation, whose data is counted, exported or erased. */
export type Subject = {
  workspaceId: string;
  kind: PersonKey["kind"] | "conversation";
  /** Id of the contact, the member or the conversation. */
  id: string;
  /** SQL of a query for the ids of the conversations (uuid). */
  conversations: SQL;
  /** SQL of a query for the ids (text) of rows that went, which audit events may name; none before an erasure. */
  rows: SQL;
};

export type RunningErasure = Subject & { erasureId: string; by: ActorRef };

/** Data that a family erases by itself, because it keeps more than rows. */
export type Forgetting = {
  /** Name of the data, for people. */
  title: string;
  /** Steps with `last` come after everything else has gone. */
  order: "first" | "last";
  /** Says why nothing may be erased now; null when nothing stands against it. */
  refusal?: (subject: Subject) => Promise<string | null>;
  /** Counts what would go, by where it lies. */
  count: (subject: Subject) => Promise<Record<string, number>>;
  /** Reads what is held, for an export, in parts. */
  read: (subject: Subject) => AsyncGenerator<{ table: string; row: object }, void, void>;
  /**
   * Erases a part in the given transaction, and may be called again after a crash.
   * @returns what went; empty when nothing is left
   */
  forget: (tx: Db, erasure: RunningErasure) => Promise<Record<string, number>>;
};

const registry = () => processWide("forgetting", () => new Map<string, Forgetting>());

export function provideForgetting(family: string, forgetting: Forgetting): void {
  registry().set(family, forgetting);
}

export const allForgetting = (): Forgetting[] => [...registry().values()];
