/**
 * The words that a name is made of, in lower case: `send_payment`, `send-payment`, `sendPayment` and `SENDPayment` are
 * all `send`, `payment`. Letters that only look different (full-width ones) count as what they look like, and characters
 * that nobody sees do not count.
 */
export function wordParts(name: string): string[] {
  return name
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L})(\p{N})/gu, "$1 $2")
    .replace(/(\p{N})(\p{L})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
