import { z } from "zod";
import { AppError } from "./errors";

/**
 * An opaque keyset cursor: the sort values of the last row seen, as base64url JSON. A forged one can only move the
 * window inside what the caller may see anyway.
 */
export function encodeCursor(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/** @throws AppError `invalid` for a cursor that we did not make. */
export function decodeCursor<S extends z.ZodType>(cursor: string, shape: S): z.output<S> {
  try {
    return shape.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch {
    throw new AppError("invalid", "The cursor is not one of ours. Start again without it.", {
      errors: [{ path: "cursor", message: "use nextCursor of the last answer as it is" }],
    });
  }
}

/** Cuts `limit + 1` rows to a page; the row too many only says that there is a next page. */
export function pageOf<Row>(
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => readonly (string | number)[],
): { rows: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last ? encodeCursor(keyOf(last)) : null };
}

/** The cursor of lists that are sorted by id alone. */
export const IdCursor = z.tuple([z.uuid()]);
