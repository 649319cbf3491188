/** Enough for an OAuth request: its client id holds up to ten addresses, and states of clients are long. */
const maxLength = 16_000;

/**
 * Reads a path on Handrail's own origin from untrusted text such as `callbackUrl`. Returns the start page for a text that
 * leads to another origin.
 */
export function sameOriginPath(given: unknown): string {
  if (typeof given !== "string" || given.length > maxLength) return "/";
  // Browsers read "\" as "/" and drop tabs and line breaks, so "/\t/evil" and "/\evil" lead away; the URL parser agrees with them.
  const here = "http://own.invalid";
  if (!given.startsWith("/") || !URL.canParse(given, here)) return "/";
  const { origin, pathname, search, hash } = new URL(given, here);
  return origin === here && !pathname.startsWith("//") ? `${pathname}${search}${hash}` : "/";
}
