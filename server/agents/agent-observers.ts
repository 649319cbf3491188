import type { Db } from "@/db/client";
import { processWide } from "@/server/platform/process-wide";

/** Follows an agent that was added, changed or removed, in the transaction of the change. */
export type AgentObserver = (tx: Db, changed: { workspaceId: string; agentId: string }) => Promise<void>;

const observers = () => processWide("agentObservers", () => new Map<string, AgentObserver>());

/** Registers an observer under a name. Families define observers, because this room knows none of them. */
export function provideAgentObserver(name: string, observer: AgentObserver): void {
  observers().set(name, observer);
}

/** Lets every observer follow a change of an agent. */
export async function tellAgentObservers(tx: Db, changed: { workspaceId: string; agentId: string }): Promise<void> {
  for (const observer of observers().values()) await observer(tx, changed);
}
