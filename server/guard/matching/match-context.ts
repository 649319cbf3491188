import { type ActorRef, actorTypes } from "@/contracts/common";
import { type RuleContext, type TimeWindow, weekdays } from "@/contracts/guard/rule-conditions";
import { isRepository } from "@/contracts/lib/normal-repository";
import type { GuardContext, GuardedMachine } from "../call/guard-request";
import { no, type Ternary, unknown, yes } from "./ternary";

/**
 * A rule's compiled context condition.
 * @param now milliseconds since 1970
 */
export type ContextTest = (context: GuardContext, now: number) => Ternary;

/**
 * Compiles a rule's context condition; every part that the rule names has to fit. An unknown part leaves the condition
 * unknown, unless another part fails.
 */
export function compileContext({ agents, channels, actors, origins, interactive, time, ...ofMachine }: RuleContext): ContextTest {
  const parts: ContextTest[] = [];
  if (interactive !== null) parts.push(({ interactive: is }) => (is === interactive ? fits : no(() => whyInteractive(is))));
  if (channels) parts.push(({ channel }) => oneOf("channel", channels, channel));
  if (origins) parts.push(({ origin }) => oneOf("origin", origins, origin));
  if (agents) {
    const wanted = new Set(agents);
    parts.push(({ agent }) => {
      if (!agent) return unknown(() => "The agent of this call is not known.");
      return wanted.has(agent.id) || wanted.has(agent.name) ? fits : no(() => `The rule is not for the agent \`${agent.name}\`.`);
    });
  }
  if (actors) {
    const wanted = new Set<string>(actors);
    parts.push(({ actor }) => (actor ? matchActor(wanted, actor) : unknown(() => "Who submitted this call is not known.")));
  }
  parts.push(...compileMachine(ofMachine));
  if (time) {
    const isWithin = compileTimeWindow(time);
    parts.push((_context, now) => (isWithin(now) ? fits : no(() => "It is not the time at which this rule holds.")));
  }
  return (context, now) => {
    let outcome = fits;
    for (const part of parts) {
      const next = part(context, now);
      if (next.holds === false) return next;
      if (next.holds === "unknown") outcome = next;
    }
    return outcome;
  };
}

const fits = yes(() => "It comes from where the rule wants it to.");

function oneOf(what: string, wanted: readonly string[], is: string | null | undefined): Ternary {
  if (is === undefined) return unknown(() => `The ${what} of this call is not known.`);
  return is !== null && wanted.includes(is) ? fits : no(() => `The rule is not for the ${what} \`${is ?? "none"}\`.`);
}

type OfMachine = Pick<RuleContext, "repositories" | "clients" | "machines" | "users">;

/** Compiles the conditions on the machine of a client. A call that Handrail runs has none, so it fits none of them. */
function compileMachine({ repositories, clients, machines, users }: OfMachine): ContextTest[] {
  const test = (
    what: string,
    read: (machine: GuardedMachine) => string | null | undefined,
    fitsTo: (is: string) => boolean,
  ): ContextTest => {
    return ({ machine }) => {
      const is = machine ? read(machine) : null;
      if (is === undefined) return unknown(() => `The ${what} of this call is not known.`);
      return is !== null && fitsTo(is) ? fits : no(() => `The rule is not for the ${what} \`${is ?? "none"}\`.`);
    };
  };
  const named = (wanted: readonly string[]) => (is: string) => wanted.includes(is);
  return [
    ...(repositories
      ? [
          test(
            "repository",
            ({ repository }) => repository,
            (is) => repositories.some((wanted) => isRepository(wanted, is)),
          ),
        ]
      : []),
    ...(clients ? [test("client", ({ client }) => client, named(clients))] : []),
    ...(machines ? [test("machine", ({ host }) => host, named(machines))] : []),
    ...(users ? [test("user of the machine", ({ user }) => user, named(users))] : []),
  ];
}

function matchActor(wanted: ReadonlySet<string>, { type, id, name }: Partial<ActorRef> & Pick<ActorRef, "type">): Ternary {
  if (wanted.has(type) || (id !== undefined && wanted.has(id))) return fits;
  const namesIds = [...wanted].some((entry) => !kinds.has(entry));
  if (id === undefined && namesIds) return unknown(() => "Who submitted this call is not known.");
  return no(() => `The rule is not for ${name ? `\`${name}\`` : "this actor"}.`);
}

const kinds: ReadonlySet<string> = new Set(actorTypes);

function whyInteractive(is: boolean): string {
  return is
    ? "A person can be asked about this call, and the rule is for calls that nobody watches."
    : "Nobody can be asked about this call, and the rule is for calls that somebody watches.";
}

const minuteMs = 60_000;
const dayNames: readonly string[] = weekdays;

/** Compiles a time window to a test of a moment, by the local time of the window's zone, daylight saving included. */
function compileTimeWindow({ days, from, to, zone }: TimeWindow): (now: number) => boolean {
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const start = minutesOf(from);
  const end = minutesOf(to);
  const wanted = new Set(days.map((day) => weekdays.indexOf(day)));
  const onDay = (day: number) => wanted.size === 0 || wanted.has((day + 7) % 7);
  const isWithin = (now: number): boolean => {
    const parts = new Map(clock.formatToParts(now).map(({ type, value }) => [type, value]));
    const day = dayNames.indexOf(String(parts.get("weekday")).toLowerCase());
    const minute = Number(parts.get("hour")) * 60 + Number(parts.get("minute"));
    if (start < end) return minute >= start && minute < end && onDay(day);
    // The window wraps past midnight, also when it begins and ends at the same time.
    return minute >= start ? onDay(day) : minute < end && onDay(day - 1);
  };
  // Cached per minute, because local time has minute precision here and formatting a date costs more than the rest of a
  // decision.
  let known = { minute: Number.NaN, within: false };
  return (now) => {
    const minute = Math.floor(now / minuteMs);
    if (minute !== known.minute) known = { minute, within: isWithin(now) };
    return known.within;
  };
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
