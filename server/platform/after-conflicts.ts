import { isConflict } from "./sql-state";

const mostAttempts = 5;

/**
 * Writes, and writes again when Postgres ended it because it and others waited for each other: what that undid may be done
 * again at once.
 * @param write one transaction, which changes nothing in memory unless it commits
 */
export async function afterConflicts<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt === mostAttempts || !isConflict(error)) throw error;
    }
  }
}
