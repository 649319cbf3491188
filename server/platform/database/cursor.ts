import { z } from "zod";
import { AppError } from "../errors";

/**
 * Encodes an opaque keyset cursor: the sort values of the last row, as base64url JSON. A forged cursor is harmless,
 * because it only moves the window within rows that the caller may see.
 */
export function encodeCursor(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/** @throws AppError `invalid` for a malformed cursor. */
export function decodeCursor<S extends z.ZodType>(cursor: string, shape: S): z.output<S> {
  try {
    return shape.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch {
    throw new AppError("invalid", "The cursor is unknown. Start again without a cursor.", {
      errors: [{ path: "cursor", message: "use nextCursor of the last answer as it is" }],
    });
  }
}

/** Cuts `limit + 1` rows to a page; the surplus row only shows that a next page exists. */
export function toPage<Row>(
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => readonly (string | number)[],
): { rows: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last ? encodeCursor(keyOf(last)) : null };
}

/** The cursor of lists sorted by id alone. */
export const IdCursor = z.tuple([z.uuid()]);
