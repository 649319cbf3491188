import { z } from "zod";
import { actorTypes } from "./generated";

export const Id = z.uuid({ error: "must be an id (UUID)" });
/** Rejects the year 0000, which neither the calendar nor Postgres has. */
export const Timestamp = z.iso.datetime().refine((text) => !text.startsWith("0000"), "must be a year from 0001 on");

/** Any JSON value: an argument of a call or a part of a result. */
export const Json = z.json().meta({ id: "Json" });
export type Json = z.infer<typeof Json>;
export const JsonObject = z.record(z.string(), Json);
export type JsonObject = z.infer<typeof JsonObject>;

/** Keyset paging: `cursor` is opaque and comes from the last answer's `nextCursor`. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(400).optional(),
};

/** A query flag: `true` and `false` as words, because `Boolean("false")` is true. */
export const queryFlag = z.enum(["true", "false"]).transform((word) => word === "true");

export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable(), total: z.number().int().optional() });
}

/** RFC 9457 problem document; `code` is for programs, `detail` for people. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.string(),
    requestId: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof Problem>;

export const Empty = z.object({});

/** Kinds of actors: each contract declares those of its noun. */
export { actorTypes };
/** A reference to an actor, as rows and responses store it. */
export const ActorRef = z.object({ type: z.enum(actorTypes), id: z.string(), name: z.string() }).meta({ id: "ActorRef" });
export type ActorRef = z.infer<typeof ActorRef>;
