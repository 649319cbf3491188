/** Returns Postgres's SQLSTATE (five characters, such as 23505) from an error or its causes; else null. */
export function findSqlState(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string" && /^[0-9A-Z]{5}$/.test(cause.code)) return cause.code;
  }
  return null;
}

/** Returns true when another row already has a value that must be unique. */
export const isUniqueViolation = (error: unknown): boolean => findSqlState(error) === "23505";

/** Returns true when a row refers to a row that no longer exists. */
export const isForeignKeyViolation = (error: unknown): boolean => findSqlState(error) === "23503";

/** Returns true when a text or JSON holds U+0000, the one character that Postgres cannot store. */
export const holdsUnstorableText = (error: unknown): boolean => ["22021", "22P05"].includes(findSqlState(error) ?? "");

/** Returns true when Postgres refused a statement (data, constraints, conflicts, size), as opposed to being unreachable. */
export const isRefusal = (error: unknown): boolean => /^(22|23|40|54|P0)/.test(findSqlState(error) ?? "");

/** SQLSTATEs of a database that responds but does not write, each with its reason. */
const writeRefusals: readonly [RegExp, string][] = [
  [/^25006/, "it is read-only"],
  [/^53100/, "its disk is full"],
  [/^53/, "it has no resources left"],
  [/^55P03/, "a table is locked"],
  [/^57014/, "a statement took too long"],
  [/^58|^XX/, "its storage has an error"],
  [/^42501/, "Handrail's role may not write"],
  [/^42P01/, "a table is missing"],
  [/^P0001/, "a trigger refused the write"],
];

/** Returns why the database does not write now, as the end of a sentence; null for every other error. */
export function explainWriteRefusal(error: unknown): string | null {
  const state = findSqlState(error);
  return (state && writeRefusals.find(([pattern]) => pattern.test(state))?.[1]) ?? null;
}

/** Returns true when the database responds but does not write: read-only, full, locked, or refused by a trigger. A retry may succeed. */
export const isWriteRefused = (error: unknown): boolean => explainWriteRefusal(error) !== null;

/** The database has no such table, because no start has migrated it yet. */
export const isMissingTable = (error: unknown): boolean => findSqlState(error) === "42P01";

/** Returns true when Postgres rolled back a transaction because of a deadlock or serialization conflict: nothing of it remains. */
export const isConflict = (error: unknown): boolean => /^40(001|P01)$/.test(findSqlState(error) ?? "");

/** Returns true when a statement gave up waiting for a lock. */
export const isLockTimeout = (error: unknown): boolean => findSqlState(error) === "55P03";

const driverCodes = new Set(["CONNECTION_CLOSED", "CONNECTION_ENDED", "CONNECTION_DESTROYED", "CONNECT_TIMEOUT"]);
const socketCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"]);

/** Returns true when the database is unreachable, starts, stops, or has no free connection: a retry may succeed. */
export function isDatabaseAway(error: unknown): boolean {
  const state = findSqlState(error);
  if (state && /^(08|57P0|53300)/.test(state)) return true;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string" && (driverCodes.has(cause.code) || socketCodes.has(cause.code))) return true;
  }
  return false;
}
