/** Returns a random key, also on plain http, where `crypto.randomUUID` is absent. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
