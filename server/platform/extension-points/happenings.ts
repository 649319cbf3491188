import type { Db } from "@/db/client";
import { processWide } from "../process-wide";

/** Something that may start work of its own: a message of a chat, or the end of a workflow. */
export type Happening =
  | {
      kind: "message";
      workspaceId: string;
      /** Names the message, so that it is followed once. */
      key: string;
      messengerId: string;
      messenger: string;
      chat: string;
      sender: string;
      /** Address of the sender on the platform. */
      senderId: string;
      text: string;
      /** The message is for the agent of the chat. */
      isForAgent: boolean;
    }
  | {
      kind: "workflow";
      workspaceId: string;
      key: string;
      workflowId: string;
      workflow: string;
      workflowRunId: string;
      status: string;
      answer: string | null;
      error: string | null;
    };

/** Follows what happens in its transaction, such as by queueing work. */
export type HappeningListener = (tx: Db, happening: Happening) => Promise<void>;

const registry = () => processWide("happenings", () => new Map<string, HappeningListener>());

/** Registers a family's listener. */
export function provideHappeningListener(family: string, listener: HappeningListener): void {
  registry().set(family, listener);
}

export async function tellHappening(tx: Db, happening: Happening): Promise<void> {
  for (const listener of registry().values()) await listener(tx, happening);
}
