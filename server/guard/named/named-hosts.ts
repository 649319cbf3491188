import { looksLikeHost } from "../hosts/host-risks";
import { locateUrl, splitHost, withPort } from "../hosts/locate-host";

const maxSearchedChars = 4_096;
const maxHosts = 20;
/** A URL with slashes of either kind, or without slashes, which URL parsers accept too; in `http:80` the number is a port. */
const address =
  /\b(?:(?!file:)[a-z][a-z0-9+.-]{1,20}:\/\/|(?:https?|wss?|ftp):[/\\]{0,6}(?!\d{1,5}(?![\w.])))(?:[^\s/?#"'`<>@\\]{0,300}@)?(\[[^\s\]]{2,60}\](?::\d{1,5})?|[^\s/?#"'`<>:@\\)]+(?::\d{1,5})?)/gi;
/** A name with a domain, or an address, and nothing else. */
const bareHost = /^(?:[\p{L}\d](?:[\p{L}\d-]{0,62})\.){1,10}(?:\p{L}{2,24}|\d{1,3})\.?$/u;
/** Names of arguments that hold a host or a URL. */
const hostName = /^(?:.*[_-])?(?:host|host_?name|server|domain|endpoint|address|addr|ip|ur[il]|proxy|remote)$/i;

/** Returns the hosts of the URLs in a text. */
export function hostsIn(text: string): string[] {
  return [...text.slice(0, maxSearchedChars).matchAll(address)].slice(0, maxHosts).flatMap(([url]) => hostOf(url));
}

/** Returns the hosts in an argument: those of its URLs, or the value itself when the argument's name says that it is a host. */
export function findArgumentHosts(name: string, text: string): string[] {
  const found = hostsIn(text);
  if (found.length > 0 || text.length > maxSearchedChars || !hostName.test(name) || !looksLikeHost(text.trim())) return found;
  return hostOf(text);
}

/** Returns the hosts in a quoted text of a program: a bare name, or those of its URLs. */
export function hostsInQuotes(text: string): string[] {
  return text.length <= 253 && bareHost.test(text) ? hostOf(text) : hostsIn(text);
}

/** Returns the host as effects name it; of an http address of the own network with its port, because ports are servers there. */
function hostOf(text: string): string[] {
  const { host, class: risk } = locateUrl({ value: text }, false);
  if (host === undefined) return [];
  const { name, port } = splitHost(host);
  const [, isPlain, isSafe] = /^(?:(http|ws)|(https|wss)):/i.exec(text) ?? [];
  const standard = isPlain ? 80 : isSafe ? 443 : null;
  return [port === null && risk === "private" && standard !== null ? withPort(name, standard) : host];
}
