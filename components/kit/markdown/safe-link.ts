const allowed: readonly string[] = ["http:", "https:", "mailto:"];

/** Returns the address of a link that a model wrote; null when it is no web address. */
export function safeLink(href: string): URL | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  return allowed.includes(url.protocol) ? url : null;
}
