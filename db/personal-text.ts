import type { SQL } from "drizzle-orm";
import type { AnyPgColumn, AnyPgTable } from "drizzle-orm/pg-core";

/** The person whose data is erased or exported. */
export type PersonKey = { kind: "contact" | "member"; id: string };

/** The ties by which rows of a table belong to a person or to a conversation of that person; a row that one tie fits goes. */
export type PersonalRows = {
  table: AnyPgTable;
  /** Id of the conversation that the row is about; a row that a conversation takes along needs none. */
  conversation?: AnyPgColumn;
  turn?: AnyPgColumn;
  run?: AnyPgColumn;
  approval?: AnyPgColumn;
  /** A JSON value that names a conversation by its id. */
  mentions?: AnyPgColumn;
  /** Id of the contact or the member. */
  person?: AnyPgColumn;
  /** The actor who wrote the row. */
  author?: AnyPgColumn;
  /** The actor who made the row for the workspace: a contact's rows go, a member's stay without the name. */
  maker?: AnyPgColumn;
  /** Owner of a memory, such as `user:<id>`. */
  owner?: AnyPgColumn;
  /** Any other condition on a row of the table. */
  rows?: (person: PersonKey) => SQL;
  /** SHA-256 of contents in the blob store that go with the row. */
  blobs?: readonly (AnyPgColumn | SQL<string | null>)[];
};

export type TextDeclaration = {
  isTextDeclaration: true;
  /** Tables with rows that go. */
  goes: readonly PersonalRows[];
  /** Tables whose rows a family removes by its own function, because it keeps counts of their words. */
  family: readonly AnyPgTable[];
  /** Tables without text of persons, or with text that belongs to the workspace. Names of actors in them are overwritten. */
  stays: readonly AnyPgTable[];
};

/**
 * Declares where text of persons lies in the tables of a file. `server/families/erasure/declared-tables.test.ts` demands it of
 * every table that no conversation takes along.
 */
export function declareText({ goes = [], family = [], stays = [] }: Partial<Omit<TextDeclaration, "isTextDeclaration">>): TextDeclaration {
  return { isTextDeclaration: true, goes, family, stays };
}

export const isTextDeclaration = (value: unknown): value is TextDeclaration =>
  typeof value === "object" && value !== null && "isTextDeclaration" in value;
