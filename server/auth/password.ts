import "server-only";
import { hash, verify } from "@node-rs/argon2";

// Argon2id, the library's default algorithm, with the parameters that OWASP recommends: 19 MiB, two passes.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Argon2id in PHC form. The text is normalised first, so that "ü" is the same password from every keyboard. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), cost);
}

/**
 * Says whether this is the password of the hash. With no hash (nobody there, or nobody with a password) it does the same
 * work and says no, so that the time taken does not tell which e-mail addresses are known.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  if (passwordHash) return verify(passwordHash, password.normalize("NFKC"));
  await hashPassword(password);
  return false;
}
