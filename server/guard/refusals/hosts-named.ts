import { connecting, hostOf, looksLikeHost } from "../detectors/host-troubles";

const maxChars = 4_096;
const maxHosts = 20;
/** With slashes of either kind, or without any, where readers of URLs put them in; `http:80` is a name and its port. */
const address =
  /\b(?:(?!file:\/\/\/)[a-z][a-z0-9+.-]{1,20}:\/\/|(?:https?|wss?|ftp):[/\\]{0,6}(?!\d{1,5}(?![\w.])))(?:[^\s/?#"'`<>@\\]{0,300}@)?([^\s/?#"'`<>:@\\)]+)/gi;
/** A name with a domain, or an address, and nothing else. */
const bareHost = /^(?:[\p{L}\d](?:[\p{L}\d-]{0,62})\.){1,10}(?:\p{L}{2,24}|\d{1,3})\.?$/u;
/** Commands whose operands may be `me@host:path`. */
const copying = /^(?:git|scp|rsync|ssh-copy-id)$/;
/** Names of arguments that hold a host or a URL. */
const hostName = /^(?:.*[_-])?(?:host|host_?name|server|domain|endpoint|address|addr|ip|ur[il]|proxy|remote)$/i;

/** Hosts of the addresses in a text. */
export function hostsIn(text: string): string[] {
  return [...text.slice(0, maxChars).matchAll(address)].slice(0, maxHosts).map((match) => plain(String(match[1])));
}

/** Hosts that an operand of a command names. */
export function hostsOfOperand(command: string, word: string): string[] {
  const found = hostsIn(word);
  if (found.length > 0 || word.length > maxChars) return found;
  const isHost = copying.test(command) ? /^[^/\s:]*[^/\s:]{2}:(?!\/\/)/.test(word) : connecting.has(command) && looksLikeHost(word);
  return isHost ? [plain(hostOf(word))] : [];
}

/** Hosts that an argument of this name is or has. */
export function hostsOfArgument(name: string, text: string): string[] {
  const found = hostsIn(text);
  if (found.length > 0 || text.length > maxChars || !hostName.test(name) || !looksLikeHost(text.trim())) return found;
  return [plain(hostOf(text))];
}

/** Hosts in a text between quotes of a program: addresses, or a name by itself. */
export function hostsInQuotes(text: string): string[] {
  return text.length <= 253 && bareHost.test(text) ? [plain(text)] : hostsIn(text);
}

const plain = (host: string): string => host.normalize("NFKC").toLowerCase().replace(/\.$/, "");
