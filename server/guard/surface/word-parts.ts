/**
 * Splits a name into its words in lower case: `send_payment`, `send-payment`, `sendPayment` and `SENDPayment` all
 * become `send`, `payment`. Look-alike letters (full-width) count as the letters they resemble, and invisible
 * characters are dropped.
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
