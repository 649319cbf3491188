import { retry } from "../retry";
import { isConflict, isLockTimeout } from "./sql-state";

/**
 * Repeats a transaction that Postgres rolled back because of a deadlock or serialization conflict. Repeating is safe,
 * because the rollback undid everything.
 * @param write one transaction, which changes nothing in memory unless it commits
 */
export function retryOnConflict<T>(write: () => Promise<T>): Promise<T> {
  return retry(write, { attempts: 5, firstPauseMs: 0, maxPauseMs: 0, mayRecover: isConflict });
}

/**
 * Repeats a transaction also after its wait for a lock timed out: a killed replica keeps its locks until Postgres notices.
 * @param write one transaction, which changes nothing in memory unless it commits
 */
export function retryOnLock<T>(write: () => Promise<T>): Promise<T> {
  return retry(write, {
    attempts: 5,
    firstPauseMs: 50,
    maxPauseMs: 500,
    mayRecover: (error) => isConflict(error) || isLockTimeout(error),
  });
}
