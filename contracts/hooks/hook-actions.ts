import { z } from "zod";
import { Json, JsonObject } from "../common";
import { CallbackUrl } from "./webhooks";

/** The five points of an agent's work at which hooks run. */
export const hookEvents = ["before_tool", "after_tool", "before_llm", "after_llm", "on_error"] as const;
export const HookEvent = z.enum(hookEvents);
export type HookEvent = z.infer<typeof HookEvent>;

export const hookCacheScopes = ["conversation", "agent", "workspace"] as const;

/** A place in the data that a hook receives. */
export const HookPointer = z
  .string()
  .max(500)
  .regex(/^(\/([^~]|~[01])*)?$/, "write a JSON pointer such as /path or /messages/0/content")
  .describe(
    "JSON pointer (RFC 6901): `/path`, `/messages/0/content`. `*` stands for every element of a list and every member of an object: `/list/*/name`.",
  );
const anywhere = HookPointer.nullable().default(null);
/** A pattern of a hook. */
export const HookPattern = z.string().min(1).max(1_000).describe("RE2 syntax, linear time.");
const names = z.array(z.string().trim().min(1).max(200)).max(50);
const sentence = z.string().trim().max(500);

export const HookAction = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("redact"),
    pattern: HookPattern,
    replacement: z.string().max(200).default("[redacted]").describe("Stands as it is: `$1` means nothing here."),
    pointer: anywhere.describe("Only below this place; null: every text."),
  }),
  z.strictObject({
    type: z.literal("mask"),
    fields: names
      .min(1, "name at least one field")
      .describe("Names of members, wherever they stand, or JSON pointers, in which `*` stands for every element or member."),
  }),
  z.strictObject({ type: z.literal("set"), pointer: HookPointer.min(2, "name the place to set"), value: Json }),
  z.strictObject({
    type: z.literal("inject"),
    pointer: HookPointer.min(2, "name the place to fill").describe(
      "`/messages/-` appends and `/messages/0` puts in front, unless an equal element is there. One place: `*` is refused.",
    ),
    value: Json,
  }),
  z
    .strictObject({
      type: z.literal("validate"),
      pointer: anywhere.describe("What is looked at; null: all of it. Of several places, each has to fit."),
      pattern: HookPattern.nullable().default(null),
      schema: JsonObject.nullable().default(null).describe("JSON schema, draft 2020-12."),
      message: sentence.default("").describe("What to send instead, for the model."),
    })
    .refine(({ pattern, schema }) => pattern !== null || schema !== null, { path: ["pattern"], message: "needs a pattern or a schema" }),
  z.strictObject({ type: z.literal("deny"), reason: sentence.min(1, "say why: the model reads it") }),
  z
    .strictObject({
      type: z.literal("filter"),
      keep: names.default([]).describe("Only these members stay; empty: all of them."),
      drop: names.default([]).describe("These members go, wherever they stand."),
      lines: z
        .strictObject({ pattern: HookPattern, keep: z.boolean() })
        .nullable()
        .default(null)
        .describe("Lines that match stay (`keep`), or go."),
    })
    .refine(({ keep, drop, lines }) => keep.length + drop.length > 0 || lines !== null, {
      path: ["keep"],
      message: "say what to keep or drop",
    }),
  z.strictObject({ type: z.literal("truncate"), maxChars: z.number().int().min(1).max(1_000_000), pointer: anywhere }),
  z.strictObject({
    type: z.literal("audit"),
    note: sentence.default(""),
    fields: z.array(HookPointer).max(20).default([]).describe("What of it goes into the row, secrets masked."),
  }),
  z.strictObject({
    type: z.literal("webhook"),
    url: CallbackUrl,
    decides: z
      .boolean()
      .default(false)
      .describe("`before_*` only: its answer `{ allow?, arguments?, reason? }` counts (`request` instead of `arguments` for a model)."),
  }),
  z.strictObject({
    type: z.literal("cache"),
    ttlSeconds: z.number().int().min(1).max(86_400).default(300),
    scope: z
      .enum(hookCacheScopes)
      .default("conversation")
      .describe("Whose equal calls get a kept answer. A model's is kept only for the key or person who told it, whatever the scope."),
  }),
  z.strictObject({ type: z.literal("count_tokens") }),
  z.strictObject({ type: z.literal("fall_back"), result: z.union([z.string().max(100_000), JsonObject]) }),
  z
    .strictObject({
      type: z.literal("judge"),
      url: CallbackUrl.nullable().default(null).describe("A program that answers `{ allow, reason? }`."),
      agentId: z
        .uuid()
        .nullable()
        .default(null)
        .describe(
          "An agent whose model judges, with the agent's instructions and no tools. Neither this nor `url`: every call is refused.",
        ),
      instructions: z.string().trim().max(4_000).default("").describe("What it should look at; sent along."),
    })
    .refine(({ url, agentId }) => url === null || agentId === null, {
      path: ["agentId"],
      message: "name a program or an agent, not both",
    }),
]);
export type HookAction = z.infer<typeof HookAction>;
export type HookActionType = HookAction["type"];

/** Events at which each action can run. */
export const actionEvents: Record<HookActionType, readonly HookEvent[]> = {
  redact: hookEvents,
  mask: hookEvents,
  set: ["before_tool", "after_tool", "before_llm", "after_llm"],
  inject: ["before_tool", "after_tool", "before_llm", "after_llm"],
  validate: ["before_tool", "after_tool", "before_llm", "after_llm"],
  deny: ["before_tool", "after_tool", "before_llm", "after_llm"],
  filter: ["after_tool", "after_llm"],
  truncate: ["after_tool", "before_llm", "after_llm", "on_error"],
  audit: hookEvents,
  webhook: hookEvents,
  cache: ["before_tool", "before_llm"],
  count_tokens: ["after_tool", "before_llm", "after_llm"],
  fall_back: ["on_error"],
  judge: ["before_tool", "before_llm"],
};
/** Returns whether the action calls another program; only such hooks have a rate limit. */
export const callsOut = (action: HookActionType): boolean => action === "webhook" || action === "judge";

export const hookActionTypes = Object.keys(actionEvents) as HookActionType[];
