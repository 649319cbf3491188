import type { ActorRef } from "@/contracts/common";
import type { ConversationOrigin } from "@/contracts/conversations/conversations";
import type { Comparison, RuleContext, TimeWindow, Weekday } from "@/contracts/guard/rule-conditions";
import { orList } from "./describe-pattern";
import type { Phrase } from "./phrase";

const operatorWords: Record<Comparison["operator"], string> = {
  "=": "is",
  "!=": "is not",
  ">": "is more than",
  ">=": "is at least",
  "<": "is less than",
  "<=": "is at most",
  in: "is one of",
  "not in": "is none of",
  exists: "is given",
  "not exists": "is not given",
};

export const originWords: Record<ConversationOrigin, string> = {
  chat: "a chat",
  one_shot: "a single task",
  cron: "a schedule",
  webhook: "a program's message",
  mcp: "an MCP client",
  coding_agent: "a coding agent",
  delegate: "another agent",
  messenger: "a message of a messenger",
  trigger: "a trigger",
};

export const actorWords: Record<ActorRef["type"], string> = {
  user: "a person",
  contact: "a contact on a messenger",
  api_key: "an API key",
  agent: "an agent",
  system: "Handrail itself",
};

export const dayWords: Record<Weekday, string> = { mon: "Mon", tue: "Tue", wed: "Wed", thu: "Thu", fri: "Fri", sat: "Sat", sun: "Sun" };

const words = (text: string): Phrase => ({ text, machine: false });
const machine = (text: string): Phrase => ({ text, machine: true });

/** Describes a comparison: "amount is more than 100". */
export function comparisonPhrases(comparison: Comparison): Phrase[] {
  const { parameter, operator } = comparison;
  const start = [machine(parameter), words(` ${operatorWords[operator]}`)];
  if (!("value" in comparison)) return start;
  const { value } = comparison;
  const shown = Array.isArray(value) ? value.join(", ") : value === "" ? '""' : String(value);
  return [...start, words(" "), machine(shown)];
}

/** Describes a rule's context: " for the agent buyer, from a schedule, on Mon to Fri from 09:00 to 17:00 (Europe/Berlin)". */
export function contextPhrases({ agents, channels, actors, origins, interactive, time, ...ofMachine }: RuleContext): Phrase[] {
  const parts: Phrase[][] = [];
  if (agents) parts.push([words(agents.length > 1 ? " for the agents " : " for the agent "), machine(orList(agents))]);
  if (actors) parts.push([words(` asked by ${orList(actors.map(actorIn))}`)]);
  if (channels) parts.push([words(" in "), machine(orList(channels))]);
  if (origins) parts.push([words(` from ${orList(origins.map((origin) => originWords[origin]))}`)]);
  const { repositories, clients, machines, users } = ofMachine;
  if (repositories) parts.push([words(" in the repository "), machine(orList(repositories))]);
  if (clients) parts.push([words(" run by "), machine(orList(clients))]);
  if (machines) parts.push([words(" on the machine "), machine(orList(machines))]);
  if (users) parts.push([words(" as the user "), machine(orList(users))]);
  if (interactive !== null) parts.push([words(interactive ? " while a person can be asked" : " while nobody can be asked")]);
  if (time) parts.push([words(` ${timeWords(time)}`)]);
  return parts.flatMap((part, place) => (place === 0 ? part : [words(","), ...part]));
}

function actorIn(actor: string): string {
  const kinds: Record<string, string> = actorWords;
  return Object.hasOwn(kinds, actor) ? (kinds[actor] ?? actor) : `${actor.slice(0, 8)}…`;
}

function timeWords({ days, from, to, zone }: TimeWindow): string {
  const on = days.length === 0 || days.length === 7 ? "every day" : `on ${days.map((day) => dayWords[day]).join(", ")}`;
  return from === to ? `${on} (${zone})` : `${on} from ${from} to ${to} (${zone})`;
}
