import type { RuleContext, TimeWindow } from "@/contracts/guard/rule-conditions";

/** A rule's context as form values; an empty list matches every call. */
export type ContextForm = {
  agents: string[];
  channels: string[];
  actors: string[];
  origins: string[];
  repositories: string[];
  clients: string[];
  machines: string[];
  users: string[];
  interactive: "any" | "yes" | "no";
  time: TimeWindow | null;
};

export const emptyContext: ContextForm = {
  agents: [],
  channels: [],
  actors: [],
  origins: [],
  repositories: [],
  clients: [],
  machines: [],
  users: [],
  interactive: "any",
  time: null,
};

export function toContextForm(context: RuleContext | null): ContextForm {
  if (context === null) return emptyContext;
  const { agents, channels, actors, origins, repositories, clients, machines, users, interactive, time } = context;
  return {
    agents: agents ?? [],
    channels: channels ?? [],
    actors: actors ?? [],
    origins: origins ?? [],
    repositories: repositories ?? [],
    clients: clients ?? [],
    machines: machines ?? [],
    users: users ?? [],
    interactive: interactive === null ? "any" : interactive ? "yes" : "no",
    time,
  };
}

/** Converts the form values for the contract; null when no condition is set. */
export function toRuleContext({
  agents,
  channels,
  actors,
  origins,
  interactive,
  time,
  ...ofMachine
}: ContextForm): Record<string, unknown> | null {
  const some = (list: string[]) => (list.length > 0 ? list : null);
  const { repositories, clients, machines, users } = ofMachine;
  const context = {
    agents: some(agents),
    channels: some(channels),
    actors: some(actors),
    origins: some(origins),
    // Left out when empty, as in rules that were written before there were clients.
    ...(repositories.length > 0 ? { repositories } : {}),
    ...(clients.length > 0 ? { clients } : {}),
    ...(machines.length > 0 ? { machines } : {}),
    ...(users.length > 0 ? { users } : {}),
    interactive: interactive === "any" ? null : interactive === "yes",
    time,
  };
  return Object.values(context).every((part) => part === null) ? null : context;
}
