import type { RuleContext, TimeWindow } from "@/contracts/rule-conditions";

/** A rule's context as its fields hold it: empty lists ask nothing. */
export type ContextForm = {
  agents: string[];
  channels: string[];
  actors: string[];
  origins: string[];
  interactive: "any" | "yes" | "no";
  time: TimeWindow | null;
};

export const emptyContext: ContextForm = { agents: [], channels: [], actors: [], origins: [], interactive: "any", time: null };

export function contextFormOf(context: RuleContext | null): ContextForm {
  if (context === null) return emptyContext;
  const { agents, channels, actors, origins, interactive, time } = context;
  return {
    agents: agents ?? [],
    channels: channels ?? [],
    actors: actors ?? [],
    origins: origins ?? [],
    interactive: interactive === null ? "any" : interactive ? "yes" : "no",
    time,
  };
}

/** What the fields stand for, to be checked against the contract; null when they ask nothing. */
export function contextOf({ agents, channels, actors, origins, interactive, time }: ContextForm): Record<string, unknown> | null {
  const some = (list: string[]) => (list.length > 0 ? list : null);
  const context = {
    agents: some(agents),
    channels: some(channels),
    actors: some(actors),
    origins: some(origins),
    interactive: interactive === "any" ? null : interactive === "yes",
    time,
  };
  return Object.values(context).every((part) => part === null) ? null : context;
}
