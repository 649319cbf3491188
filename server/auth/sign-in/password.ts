import "server-only";
import { hash, verify } from "@node-rs/argon2";

// Argon2id, the library's default algorithm, with the parameters that OWASP recommends: 19 MiB, two passes.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password with Argon2id in PHC form. Unicode is normalised first, so that "ü" is equal from every keyboard. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), cost);
}

/**
 * Verifies a password against a hash. Without a hash (an unknown person, or a person without a password) the same work is
 * done and the answer is false, so that timing does not reveal which e-mail addresses are known.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  if (passwordHash) return verify(passwordHash, password.normalize("NFKC"));
  await hashPassword(password);
  return false;
}
