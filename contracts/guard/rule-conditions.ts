import { z } from "zod";
import { actorTypes, Id } from "../common";
import { conversationOrigins } from "../conversations/conversations";
import { MachinePath, machineBoxes } from "../tools/machine";

const pointerSyntax = /^(?:\/(?:[^~/]|~[01])*)+$/;

/** An argument by its name, or by a JSON pointer (RFC 6901) in which a segment `*` stands for every member. */
export const ArgumentName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((name) => !name.startsWith("/") || pointerSyntax.test(name), {
    error: "write a JSON pointer such as /items/0/path or /headers/*; in it ~0 stands for ~ and ~1 for /",
  });

const Scalar = z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]);

export const comparisonOperators = ["=", "!=", ">", ">=", "<", "<=", "in", "not in", "exists", "not exists"] as const;
export type ComparisonOperator = (typeof comparisonOperators)[number];

/** A condition on an argument: `amount > 100`, `currency in [EUR, USD]`. */
export const Comparison = z
  .discriminatedUnion("operator", [
    z.strictObject({ parameter: ArgumentName, operator: z.enum(["=", "!="]), value: Scalar }),
    z.strictObject({ parameter: ArgumentName, operator: z.enum([">", ">=", "<", "<="]), value: z.number() }),
    z.strictObject({
      parameter: ArgumentName,
      operator: z.enum(["in", "not in"]),
      value: z
        .union([z.array(z.string().max(1_000)).min(1).max(100), z.array(z.number()).min(1).max(100)], {
          error: "list texts or numbers, not both, at most 100",
        })
        .describe("Texts or numbers, not both."),
    }),
    z.strictObject({ parameter: ArgumentName, operator: z.enum(["exists", "not exists"]) }),
  ])
  .meta({ examples: [{ parameter: "amount", operator: ">", value: 100 }] });
export type Comparison = z.infer<typeof Comparison>;

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof weekdays)[number];

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "write a time of day from 00:00 to 23:59");

/** Hours on days of the week, in the local time of a time zone. */
export const TimeWindow = z.strictObject({
  days: z
    .array(z.enum(weekdays))
    .max(7)
    .default([])
    .describe("Empty: every day. A window past midnight belongs to the day on which it begins."),
  from: TimeOfDay.default("00:00"),
  to: TimeOfDay.default("00:00").describe("Exclusive. The same as `from`: the whole day."),
  zone: z
    .string()
    .min(1)
    .max(64)
    .refine(isTimeZone, { error: "name a time zone of the IANA database, such as Europe/Berlin or UTC" })
    .default("UTC"),
});
export type TimeWindow = z.infer<typeof TimeWindow>;

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return /^[A-Za-z]/.test(zone);
  } catch {
    return false;
  }
}

const someOf = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(50).nullable().default(null);

/** Optional, so that rules that are stored without it stay as they are. */
const someOfClients = z.array(z.string().trim().min(1).max(500)).min(1).max(50).nullable().optional();

/** Conditions on a call's origin; null matches every call. */
export const RuleContext = z.strictObject({
  agents: someOf(z.string().trim().min(1).max(64)).describe("Ids or names of agents."),
  channels: someOf(z.string().trim().min(1).max(64)).describe("Channels of conversations."),
  actors: someOf(z.union([z.enum(actorTypes), Id], { error: "name a kind (user, api_key, agent, system) or an id" })).describe(
    "Who submitted the call: kinds of actors, or ids of users and API keys.",
  ),
  origins: someOf(z.enum(conversationOrigins)).describe("What began the conversation."),
  repositories: someOfClients.describe(
    "Addresses of the remote repository in whose folder a client works, in any form; `github.com/acme/*` means all below. As the client says it.",
  ),
  clients: someOfClients.describe("Clients that run the call themselves, such as `claude-code` and `codex`."),
  machines: someOfClients.describe("Names of the clients' machines, as the clients say them."),
  users: someOfClients.describe("Names of the users on the clients' machines, as the clients say them."),
  interactive: z.boolean().nullable().default(null).describe("Whether a person can be asked while the call waits."),
  time: TimeWindow.nullable().default(null),
});
export type RuleContext = z.infer<typeof RuleContext>;

/** The machine of a call to be evaluated, when a client would run the call itself. */
export const EvaluatedMachine = z.strictObject({
  client: z.string().trim().min(1).max(100).optional().describe("Such as `claude-code`."),
  folder: MachinePath.describe("Absolute path of the project: files in it lie inside."),
  home: MachinePath.describe("Absolute path of the home folder, which `~` names."),
  box: z.enum(machineBoxes).default("none"),
  repository: z.string().trim().min(1).max(500).nullable().optional().describe("Address of the project's remote; null: there is none."),
  host: z.string().trim().min(1).max(200).optional(),
  user: z.string().trim().min(1).max(200).optional(),
});

/** Context of a call to be evaluated. Absent members are unknown, and a rule that needs one cannot be evaluated. */
export const EvaluatedContext = z
  .strictObject({
    conversationId: Id.optional().describe(
      "A conversation of this workspace: its agent, channel, origin, refusals and grants count, and whether a person can be asked in it.",
    ),
    agent: z.string().min(1).max(64).optional().describe("Id or name."),
    channel: z.string().min(1).max(64).nullable().optional().describe("null: the conversation has none."),
    actor: z.strictObject({ type: z.enum(actorTypes), id: z.string().min(1).max(100).optional() }).optional(),
    origin: z.enum(conversationOrigins).optional(),
    interactive: z.boolean().optional().describe("Whether a person can be asked; true when left out without a conversation."),
    machine: EvaluatedMachine.optional().describe("The call is run by a client on this machine, and not by Handrail."),
    at: z.iso.datetime().optional().describe("When the call is made; now when left out."),
  })
  .refine(
    ({ conversationId, agent, channel, origin, interactive }) =>
      conversationId === undefined || [agent, channel, origin, interactive].every((value) => value === undefined),
    { path: ["conversationId"], message: "leave out agent, channel, origin and interactive: those of the conversation count" },
  );
export type EvaluatedContext = z.infer<typeof EvaluatedContext>;
