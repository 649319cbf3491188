import { excerpt } from "../excerpt";
import { type HostRisk, hostRisks, maxUrlChars, parseHost } from "../hosts/host-risks";
import { locateUrl, shortName, splitHost, withPort } from "../hosts/locate-host";

/**
 * A risk, and the `host:port` with which an admin can allow it: for every tool, or (`target`) for the tools of one MCP server. The network
 * of that server is limited where it runs, so its target may also follow a user name, or have its port in an argument of its own.
 */
export type Risk = HostRisk & { endpoint?: string | undefined; target?: string | undefined };

const otherScheme =
  /^(?:file|gopher|dict|ftp|ftps|tftp|sftp|scp|ldap|ldaps|smb|jar|netdoc|php|phar|expect|data|view-source|imap|pop3|rtsp|telnet|unix|nfs|rsync)$/;

/** A URL with slashes, or without slashes, which URL parsers accept too; in `http:80` the number is a port. */
const urlInText = /\b(?:([a-z][a-z0-9+.-]{1,20}):[/\\]{1,6}|(https?|wss?|ftp):(?!0*[1-9]\d{0,4}(?![\w.])))([^\s"'`<>|;)]{1,2048})/gi;
export const mayHoldUrl = /:[/\\]|\b(?:https?|wss?|ftp):\S/i;
const maxUrls = 100;

export function risksInText(text: string): Risk[] {
  const found: Risk[] = [];
  const seen = new Set<string>();
  let urls = 0;
  for (const [url, withSlashes, without, rest = ""] of text.matchAll(urlInText)) {
    const scheme = withSlashes ?? without ?? "";
    urls += 1;
    if (urls > maxUrls) return [...found, { kind: "private", say: () => `An argument has more than ${maxUrls} URLs.`, text: "" }];
    if (seen.has(url)) continue;
    seen.add(url);
    for (const single of withOneHost(rest)) {
      const risks = risksOfUrl(scheme.toLowerCase(), single, url);
      found.push(...withEndpoint(risks, single === rest ? url : `${scheme}://${single}`));
    }
  }
  return found;
}

/** Drivers of databases and queues take several hosts, with commas between them. */
export const hostsIn = (text: string): string[] => (text.includes(",") ? text.split(",").map((host) => host.trim()) : [text]);

/** Returns what follows the scheme of a URL once for each of its hosts: `me@a:1,b:2/x` is `me@a:1/x` and `me@b:2/x`. */
function withOneHost(rest: string): string[] {
  const [authority = ""] = rest.split(/[/?#\\]/);
  const start = authority.lastIndexOf("@") + 1;
  const hosts = authority.slice(start);
  if (!hosts.includes(",")) return [rest];
  return hostsIn(hosts).map((host) => `${authority.slice(0, start)}${host}${rest.slice(authority.length)}`);
}

/**
 * Adds the endpoint to risks. An ambiguous URL, which parsers read as different hosts, has no endpoint that could be
 * allowed.
 * @param beside the port of an argument that has no port itself
 */
export function withEndpoint(risks: readonly HostRisk[], written: string, beside?: string | null): Risk[] {
  if (risks.length === 0) return [];
  const { name, port: ownPort } = splitHost(locateUrl({ value: written }, false).host ?? "");
  const [, isPlain, isSafe] = /^(?:(http|ws)|(https|wss)):/i.exec(written) ?? [];
  const port = ownPort ?? (isPlain ? "80" : isSafe ? "443" : null);
  const endpoint = port === null || /[\\@]/.test(written) ? undefined : withPort(name, port);
  const targetPort = port ?? beside ?? usualPortOf(written);
  const target = targetPort === null || /\\|@.*@/s.test(written) ? undefined : withPort(name, targetPort);
  return risks.map((risk) => ({ ...risk, endpoint, target }));
}

/** Ports that a driver uses where its URL names none. */
const usualPorts: Readonly<Record<string, string>> = {
  amqp: "5672",
  amqps: "5671",
  bolt: "7687",
  mariadb: "3306",
  mongodb: "27017",
  mqtt: "1883",
  mqtts: "8883",
  mysql: "3306",
  nats: "4222",
  neo4j: "7687",
  postgres: "5432",
  postgresql: "5432",
  redis: "6379",
  rediss: "6379",
  sqlserver: "1433",
  valkey: "6379",
};

/** Returns the port of a URL of a database or a queue that names none: `postgresql+asyncpg://db/shop`; null for others. */
function usualPortOf(written: string): string | null {
  const [, scheme = "", driver] = /^([a-z0-9]+)(\+[a-z0-9]+)?:\/\//i.exec(written) ?? [];
  // The ports of `mongodb+srv` stand in the DNS.
  return driver?.toLowerCase() === "+srv" ? null : (usualPorts[scheme.toLowerCase()] ?? null);
}

function risksOfUrl(scheme: string, rest: string, url: string): HostRisk[] {
  // The host may continue behind the part that is read.
  if (rest.length >= maxUrlChars && !/[/?#]/.test(rest))
    return [{ kind: "private", say: () => "An argument has a URL whose host is too long to be one.", text: url }];
  if (otherScheme.test(scheme)) {
    const say = () => `\`${excerpt(url)}\` is a URL of the kind \`${scheme}:\`.`;
    return [{ kind: "scheme", say, text: url }, ...(scheme === "file" || scheme === "data" ? [] : risksOfAuthority(rest, url))];
  }
  const found = risksOfAuthority(rest, url);
  const host = parseHost(rest);
  if (found.length > 0 || !/^(?:https?|wss?)$/.test(scheme) || !shortName.test(host)) return found;
  return [
    { kind: "private", say: () => `\`${excerpt(url)}\` is a name without a domain, which only a network of its own knows.`, text: url },
  ];
}

function risksOfAuthority(rest: string, url: string): HostRisk[] {
  const authority = rest.replace(/[/?#\\].*$/s, "");
  const at = authority.lastIndexOf("@");
  const risks: HostRisk[] = [];
  // A user name with a dot is meant to be mistaken for the host.
  if (at >= 0 && /\./.test(authority.slice(0, at).replace(/:.*$/s, ""))) {
    risks.push({
      kind: "userinfo",
      say: () => `\`${excerpt(url)}\` leads to \`${excerpt(authority.slice(at + 1))}\`, not to the name before the @.`,
      text: url,
    });
  }
  // URL parsers disagree on the host when there is a backslash or more than one @.
  for (const part of new Set([
    ...authority.split("@"),
    rest
      .replace(/[/?#].*$/s, "")
      .split(/[\\@]/)
      .at(-1) ?? "",
  ])) {
    if (part !== "" && (part === authority.slice(at + 1) || authority.split("@").length > 2 || rest.includes("\\")))
      risks.push(...hostRisks(parseHost(part), url));
  }
  return risks;
}
