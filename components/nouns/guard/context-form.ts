import type { RuleContext, TimeWindow } from "@/contracts/rule-conditions";

/** A rule's context as form values; an empty list matches every call. */
export type ContextForm = {
  agents: string[];
  channels: string[];
  actors: string[];
  origins: string[];
  interactive: "any" | "yes" | "no";
  time: TimeWindow | null;
};

export const emptyContext: ContextForm = { agents: [], channels: [], actors: [], origins: [], interactive: "any", time: null };

export function toContextForm(context: RuleContext | null): ContextForm {
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

/** Converts the form values for the contract; null when no condition is set. */
export function toRuleContext({ agents, channels, actors, origins, interactive, time }: ContextForm): Record<string, unknown> | null {
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
