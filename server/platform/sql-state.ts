/** What Postgres calls the reason of a refusal (five characters, such as 23505), from wherever it is in an error; else null. */
export function sqlStateOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string" && /^[0-9A-Z]{5}$/.test(cause.code)) return cause.code;
  }
  return null;
}

/** Another row has the same value where there may be only one. */
export const isUniqueViolation = (error: unknown): boolean => sqlStateOf(error) === "23505";

/** A row names another one that is not there any more. */
export const isForeignKeyViolation = (error: unknown): boolean => sqlStateOf(error) === "23503";

/** A text holds U+0000, the one character that Postgres cannot store, in a text or in JSON. */
export const holdsUnstorableText = (error: unknown): boolean => ["22021", "22P05"].includes(sqlStateOf(error) ?? "");

/** Postgres looked at a statement and refused it (data, constraints, a conflict with others, its size), rather than being away. */
export const isRefusal = (error: unknown): boolean => /^(22|23|40|54)/.test(sqlStateOf(error) ?? "");

/** Postgres undid a transaction because it and others waited for each other, or were in each other's way: nothing of it is left. */
export const isConflict = (error: unknown): boolean => /^40(001|P01)$/.test(sqlStateOf(error) ?? "");

const driverCodes = new Set(["CONNECTION_CLOSED", "CONNECTION_ENDED", "CONNECTION_DESTROYED", "CONNECT_TIMEOUT"]);
const socketCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"]);

/** The database cannot be reached, starts, stops, or has no connection to give: another attempt may succeed. */
export function isDatabaseAway(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state && /^(08|57P0|53300)/.test(state)) return true;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string" && (driverCodes.has(cause.code) || socketCodes.has(cause.code))) return true;
  }
  return false;
}
