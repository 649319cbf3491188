const allowed: readonly string[] = ["http:", "https:", "mailto:"];

/** A page of the console that a text may lead to: a page of knowledge, or a source at its page. Nothing there changes by being opened. */
const ownPagePattern = /^\/knowledge(?:\/sources\/[0-9a-f-]{36}\?page=\d{1,7}|\?slug=[^&#"<>\s]{1,900})$/;

/** Returns the address of a page of ours that a text may lead to; null for any other. */
export const ownPage = (href: string): string | null => (ownPagePattern.test(href) ? href : null);

/** Returns the address of a link that a model wrote; null when it is no web address. */
export function safeLink(href: string): URL | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  return allowed.includes(url.protocol) ? url : null;
}
