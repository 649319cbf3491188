import type { Json } from "@/contracts/common";
import type { AnalyzedCall } from "../call/analyzed-call";
import { runsCommands } from "../call/tool-facts";
import type { ScriptEffect } from "../effects/collector";
import { excerpt } from "../excerpt";
import type { AllowedHosts } from "../hosts/allowed-hosts";
import { type HostRisk, type HostRiskKind, hostRisks, isMetadata, looksLikeHost, maxUrlChars, parseHost } from "../hosts/host-risks";
import { locateUrl, splitHost, withPort } from "../hosts/locate-host";
import { endpointsOf } from "../hosts/private-endpoints";
import { memoizeLast } from "../memoize-last";
import type { Detector, DetectorMatch } from "./detector";

const explanation =
  "Addresses inside a network are trusted by what runs there. A call that reaches them from here reaches what nobody outside may see.";
/** Capabilities that connect to hosts, and that refuse private addresses unless an admin listed them. */
const guarded = ["http", "browser"];
const isGuarded = ({ needs }: AnalyzedCall["tool"]): boolean => guarded.some((name) => needs.includes(name));
/** Built-in tools without network or shell reach no host. */
const appliesTo: Detector["appliesTo"] = (tool) => tool.source !== "builtin" || isGuarded(tool) || runsCommands(tool);
/**
 * A risk, and the `host:port` with which an admin can allow it: for every tool, or (`target`) for the tools of one MCP server. The network
 * of that server is limited where it runs, so its target may also follow a user name, or have its port in an argument of its own.
 */
type Risk = HostRisk & { endpoint?: string | undefined; target?: string | undefined };
const none: readonly Risk[] = [];
const risksIn = memoizeLast(findRisks);
const mayFind = (call: AnalyzedCall) => risksIn(call).length > 0;
/** Kinds of risks that an admin can allow by host. */
const allowable: ReadonlySet<HostRiskKind> = new Set(["private", "rebinding"]);
const common = { explanation, severity: "high", verdict: "require_approval", relaxable: true, appliesTo, mayFind } as const;

function detector(kind: HostRiskKind, described: Pick<Detector, "title" | "fix"> & Partial<Detector>): Detector {
  const find: Detector["find"] = (call, { allowedHosts }): readonly DetectorMatch[] =>
    risksIn(call)
      .filter((risk) => risk.kind === kind && !(allowable.has(kind) && isAllowed(risk, call.tool, allowedHosts)))
      .map(({ say, text }, index) => ({ message: index === 0 ? say() : "", text }));
  return { ...common, id: `network.${kind}`, ...described, find };
}

export const networkDetectors: readonly Detector[] = [
  detector("metadata", {
    title: "Cloud metadata",
    fix: "Ask for what you need of the machine in another way.",
    severity: "critical",
    verdict: "deny",
    explanation: "The metadata address of a cloud hands out the machine's own credentials to whoever asks from inside.",
  }),
  detector("private", {
    title: "Private address",
    // An approval opens the address for the call. Where nobody can be asked, built-in tools and the sandbox's proxy refuse it.
    isFutile: (call) =>
      !call.context.interactive && (isGuarded(call.tool) || (call.shell !== null && call.context.sandboxed === true && !isReachable(call))),
    fix: "Use an address of the public internet, or have an admin add `host:port` to the allowed hosts.",
  }),
  detector("rebinding", {
    title: "Name of a private address",
    // Built-in tools refuse the private addresses that such a name leads to, unless a person approved the name.
    isFutile: (call) =>
      !call.context.interactive &&
      isGuarded(call.tool) &&
      risksIn(call).some(({ kind, mayBePublic }) => kind === "rebinding" && !mayBePublic),
    fix: "Use a name that belongs to the service itself, or have an admin add `host:port` to the allowed hosts.",
    explanation: "Names like this one lead to any address that is written into them, private ones too.",
  }),
  detector("scheme", {
    title: "Other kind of URL",
    fix: "Use an http or https URL.",
    explanation: "URLs of other kinds read files of the machine, or speak to services that are not made for strangers.",
  }),
  detector("userinfo", {
    title: "Misleading URL",
    fix: "Write the URL without a name before the host.",
    severity: "medium",
    explanation: "What stands before an @ looks like the host, and is only a user name: the call goes somewhere else.",
  }),
];

/** Returns whether the operator opened every private address of the call to the sandbox. */
function isReachable(call: AnalyzedCall): boolean {
  const { privateHosts = [] } = call.context;
  return risksIn(call).every(({ kind, endpoint }) => kind !== "private" || (endpoint !== undefined && privateHosts.includes(endpoint)));
}

/** Returns whether an admin allowed the host for every tool, or for the tool's MCP server. */
function isAllowed({ endpoint, target }: Risk, { sourceHosts = [] }: AnalyzedCall["tool"], allowedHosts: AllowedHosts): boolean {
  if (endpoint !== undefined && allowedHosts.covers(endpoint)) return true;
  return target !== undefined && sourceHosts.some((host) => withOneLoopback(host) === withOneLoopback(target));
}

/** Each name of this machine leads to the same port that an MCP server's sandbox has for it. */
const withOneLoopback = (host: string): string => host.toLowerCase().replace(/^(?:127\.0\.0\.1|\[::1\])(?=:)/, "localhost");

const otherScheme =
  /^(?:file|gopher|dict|ftp|ftps|tftp|sftp|scp|ldap|ldaps|smb|jar|netdoc|php|phar|expect|data|view-source|imap|pop3|rtsp|telnet|unix|nfs|rsync)$/;

/** The end of an argument's name, normalised to lower case with `_` between words: `target_host`, `hosts`. */
const hostName =
  /(?:^|_)(?:hosts?|host_?names?|addr(?:ess(?:es)?|s)?|ips?|servers?|name_?servers?|domains?|endpoints?|gateways?|prox(?:y|ies)|remotes?|base_?urls?)$/;
const noHostName = /mail/;
/** A URL with slashes, or without slashes, which URL parsers accept too; in `http:80` the number is a port. */
const urlInText = /\b(?:([a-z][a-z0-9+.-]{1,20}):[/\\]{1,6}|(https?|wss?|ftp):(?!0*[1-9]\d{0,4}(?![\w.])))([^\s"'`<>|;)]{1,2048})/gi;
const mayHoldUrl = /:[/\\]|\b(?:https?|wss?|ftp):\S/i;
/** Characters that URL parsers remove anywhere in a URL. */
const leftOut = /[\t\r\n]/g;

const maxUrls = 100;
const maxHosts = 300;

function findRisks(call: AnalyzedCall): readonly Risk[] {
  let found: Risk[] | null = null;
  const note = (risks: readonly Risk[]) => {
    if (risks.length === 0) return;
    found ??= [];
    found.push(...risks);
  };
  let hosts = 0;
  const reaches = call.tool.needs.includes("http") || call.scripts.length > 0;
  for (const { name, text } of call.texts) {
    if (call.shell && name === call.tool.primaryArgument && !call.shell.script.unreadable) continue;
    const isUrl = isUrlArgument(name, text, call);
    const plain = isUrl ? text.replace(leftOut, "") : text;
    if (mayHoldUrl.test(plain)) {
      // Prose that mentions an address connects to nothing; only the metadata service is reported all the same.
      const isMeant = reaches || isUrl || !/\s/.test(text.trim());
      note(risksInText(plain).filter(({ kind }) => isMeant || kind === "metadata"));
    }
    if (!isHostArgument(name, text, call) && !isMetadata(text)) continue;
    for (const host of hostsIn(text)) {
      hosts += 1;
      if (hosts <= maxHosts || isMetadata(host))
        note(withEndpoint(hostRisks(parseHost(host), text), host, call.tool.sourceHosts && portsBeside(call).get(text)));
    }
  }
  if (hosts > maxHosts) note([{ kind: "private", say: () => `The call names more than ${maxHosts} hosts.`, text: "" }]);
  for (const { reading } of call.commands) for (const effect of reading.effects) note(risksOfEffect(effect, reading.text));
  return found ? withoutOwnServers(found, call) : none;
}

/** Drops the risks of endpoints that the call's declared effects place inside: the conversation's own servers. */
function withoutOwnServers(risks: readonly Risk[], { effects, arguments: args }: AnalyzedCall): readonly Risk[] {
  const own = new Set(effects.filter(({ target }) => target.where === "inside").flatMap((effect) => endpointsOf(effect, args)));
  return own.size === 0 ? risks : risks.filter(({ kind, endpoint }) => kind !== "private" || endpoint === undefined || !own.has(endpoint));
}

/** Returns the risks of an effect. A target inside is the call's own server, because the sandbox has its own loopback. */
function risksOfEffect({ kind, target, start, end }: ScriptEffect, text: string): Risk[] {
  if ((kind !== "connect" && kind !== "send") || target.where === "inside") return [];
  const written = text.slice(start, end);
  const risks = mayHoldUrl.test(written) ? risksInText(written) : [];
  return risks.length > 0 || target.host === undefined ? risks : withEndpoint(hostRisks(parseHost(target.host), written), target.host);
}

/**
 * Adds the endpoint to risks. An ambiguous URL, which parsers read as different hosts, has no endpoint that could be
 * allowed.
 * @param beside the port of an argument that has no port itself
 */
function withEndpoint(risks: readonly HostRisk[], written: string, beside?: string | null): Risk[] {
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

const portName = /(?:^|[_-])[Pp]ort$|[a-z]Port$|(?:^|_)PORT$/;

/** Returns the ports that stand beside hosts in arguments of their own, as databases are named; null for none, and for several. */
const portsBeside = memoizeLast(({ arguments: args }: AnalyzedCall): ReadonlyMap<string, string | null> => {
  const found = new Map<string, string | null>();
  const open: Json[] = [args];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === null || typeof next !== "object") continue;
    const members: [string, Json][] = Object.entries(next);
    const ports = members.filter(([name, value]) => portName.test(name) && /^\d{1,5}$/.test(String(value)));
    const port = ports.length === 1 ? String(ports[0]?.[1]) : null;
    for (const [, value] of members) {
      if (typeof value === "string") found.set(value, !found.has(value) || found.get(value) === port ? port : null);
      else open.push(value);
    }
  }
  return found;
});

function risksInText(text: string): Risk[] {
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
const hostsIn = (text: string): string[] => (text.includes(",") ? text.split(",").map((host) => host.trim()) : [text]);

/** Returns what follows the scheme of a URL once for each of its hosts: `me@a:1,b:2/x` is `me@a:1/x` and `me@b:2/x`. */
function withOneHost(rest: string): string[] {
  const [authority = ""] = rest.split(/[/?#\\]/);
  const start = authority.lastIndexOf("@") + 1;
  const hosts = authority.slice(start);
  if (!hosts.includes(",")) return [rest];
  return hostsIn(hosts).map((host) => `${authority.slice(0, start)}${host}${rest.slice(authority.length)}`);
}

/** Returns whether an argument is a URL and nothing else, possibly broken over lines. */
function isUrlArgument(name: string, text: string, { tool }: AnalyzedCall): boolean {
  return (
    text.length <= maxUrlChars &&
    /[\t\r\n]/.test(text) &&
    (tool.needs.includes("http") || /ur[il]s?$/i.test(name)) &&
    !/ /.test(text.trim())
  );
}

function isHostArgument(name: string, text: string, { tool }: AnalyzedCall): boolean {
  return isHostName(name) || ((tool.needs.includes("http") || /^ur[il]$/i.test(name)) && looksLikeHost(text));
}

/** Cache: argument names are few and come again and again. */
const knownNames = new Map<string, boolean>();
const maxKnownNames = 1_000;
const maxNameChars = 40;
const mayBeHostName = /host|addr|ip|server|domain|endpoint|gateway|prox|remote|url/i;

function isHostName(name: string): boolean {
  if (name.length > maxNameChars || !mayBeHostName.test(name)) return false;
  let known = knownNames.get(name);
  if (known === undefined) {
    const words = name
      .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
      .replace(/[-. ]/g, "_")
      .toLowerCase();
    known = hostName.test(words) && !noHostName.test(words);
    if (knownNames.size >= maxKnownNames) knownNames.clear();
    knownNames.set(name, known);
  }
  return known;
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

const shortName = /^[a-z][a-z0-9-]{0,62}$/i;

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
