import "server-only";
import { AppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";

/** Lowest accepted zxcvbn score, of 0 to 4: fewer than a hundred million guesses find a password with a lower score. */
const minScore = 3;
/** Only this many characters are rated, because rating more is slow and further characters only add strength. */
const maxRatedChars = 72;

/** Loads zxcvbn at the first new password, because its word lists take megabytes. */
const estimator = () =>
  processWide("auth.passwordStrength", async () => {
    const [{ zxcvbn, zxcvbnOptions }, { adjacencyGraphs, dictionary }] = await Promise.all([
      import("@zxcvbn-ts/core"),
      import("@zxcvbn-ts/language-common"),
    ]);
    zxcvbnOptions.setOptions({ dictionary, graphs: adjacencyGraphs });
    return zxcvbn;
  });

/**
 * Refuses a password that is easy to guess: common words, repetitions, sequences, and the person's name or address.
 * @param about name and e-mail address of the person
 * @param path of the password in the request
 * @throws AppError `invalid`
 */
export async function assertStrongPassword(password: string, about: readonly string[], path = "password"): Promise<void> {
  const estimate = await estimator();
  const words = ["handrail", ...about.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])].filter((word) => word.length > 2);
  if (estimate(password.slice(0, maxRatedChars), words).score >= minScore) return;
  const message = "This password is too easy to guess. Use several uncommon words, or one that a password manager makes.";
  throw new AppError("invalid", message, { errors: [{ path, message }] });
}
