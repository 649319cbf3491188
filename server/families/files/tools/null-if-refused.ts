import { isAppError } from "@/server/platform/errors";

/** Returns the text that a change gives; null when the call would be refused, because a preview has no sentence of its own. */
export function nullIfRefused(change: () => string): string | null {
  try {
    return change();
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}
