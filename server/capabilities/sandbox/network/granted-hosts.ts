import { isIP } from "node:net";

/** A host that a call may reach: an exact name or address, or every name below a domain. */
export type GrantedHost = {
  host: string;
  /** `host` stands for every name below it. */
  isWildcard: boolean;
  /** Null means the ports of the web. */
  port: number | null;
};

const webPorts: readonly number[] = [80, 443];
const entryParts = /^(\*\.)?(\[[0-9a-fA-F:.]+\]|[^\s:/?#@[\]\\*]+)(?::(\d{1,5}))?$/;

/**
 * Parses an entry such as `example.com`, `*.example.com`, `example.com:8443` or `[2001:db8::1]:443`.
 * @returns null when the text names no host
 */
export function parseGrantedHost(entry: string): GrantedHost | null {
  const [, wildcard, name = "", portText] = entryParts.exec(entry.trim()) ?? [];
  const host = canonicalHost(name);
  const port = portText === undefined ? null : Number(portText);
  if (!host || (port !== null && (port < 1 || port > 65_535))) return null;
  // `*.com` would allow half of the internet, and an address has no names below it.
  if (wildcard && (!host.includes(".") || isIP(host))) return null;
  return { host, isWildcard: Boolean(wildcard), port };
}

/** Returns why an entry of a host list is unusable, for its author; null for a valid entry. */
export function hostFault(entry: string): string | null {
  if (parseGrantedHost(entry)) return null;
  return `${JSON.stringify(entry)} is not a host. Write a name such as registry.npmjs.org, *.example.com or example.com:8443.`;
}

/** Returns true when a list of entries covers a host and port. Invalid entries cover nothing. */
export function coversHost(granted: readonly GrantedHost[], host: string, port: number): boolean {
  return granted.some((entry) => {
    const isNamed = entry.isWildcard ? host.endsWith(`.${entry.host}`) : host === entry.host;
    return isNamed && (entry.port === null ? webPorts.includes(port) : entry.port === port);
  });
}

/**
 * Returns the canonical spelling of a host: lower case, IDN as ASCII, no final dot, addresses in their usual form
 * (`0x7f.1` and `2130706433` are 127.0.0.1), IPv6 without brackets.
 * @returns null when the text is no host
 */
export function canonicalHost(text: string): string | null {
  // The URL parser would silently drop a port, a path or a user name.
  const isBracketed = text.startsWith("[") && text.endsWith("]");
  if (text === "" || /[\s/?#@\\%]/.test(text) || (text.includes(":") && !isBracketed)) return null;
  const host = URL.parse(`http://${text}/`)
    ?.hostname.replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
  return host || null;
}
