import { retry } from "./retry";
import { isConflict } from "./sql-state";

/**
 * Repeats a transaction that Postgres rolled back because of a deadlock or serialization conflict. Repeating is safe,
 * because the rollback undid everything.
 * @param write one transaction, which changes nothing in memory unless it commits
 */
export function retryOnConflict<T>(write: () => Promise<T>): Promise<T> {
  return retry(write, { attempts: 5, firstPauseMs: 0, longestPauseMs: 0, mayRecover: isConflict });
}
