import type { Json } from "@/contracts/common";
import type { AnalyzedCall } from "../call/analyzed-call";
import { runsCommands } from "../call/tool-facts";
import type { ScriptEffect } from "../effects/collector";
import type { AllowedHosts } from "../hosts/allowed-hosts";
import { type HostRiskKind, hostRisks, isMetadata, looksLikeHost, maxUrlChars, parseHost } from "../hosts/host-risks";
import { endpointsOf } from "../hosts/private-endpoints";
import { memoizeLast } from "../memoize-last";
import type { Detector, DetectorMatch } from "./detector";
import { hostsIn, mayHoldUrl, type Risk, risksInText, withEndpoint } from "./url-risks";

const explanation =
  "Addresses inside a network are trusted by what runs there. A call that reaches them from here reaches what nobody outside may see.";
/** Capabilities that connect to hosts, and that refuse private addresses unless an admin listed them. */
const guarded = ["http", "browser"];
const isGuarded = ({ needs }: AnalyzedCall["tool"]): boolean => guarded.some((name) => needs.includes(name));
/** Built-in tools without network or shell reach no host. */
const appliesTo: Detector["appliesTo"] = (tool) => tool.source !== "builtin" || isGuarded(tool) || runsCommands(tool);
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

/** The end of an argument's name, normalised to lower case with `_` between words: `target_host`, `hosts`. */
const hostName =
  /(?:^|_)(?:hosts?|host_?names?|addr(?:ess(?:es)?|s)?|ips?|servers?|name_?servers?|domains?|endpoints?|gateways?|prox(?:y|ies)|remotes?|base_?urls?)$/;
const noHostName = /mail/;
/** Characters that URL parsers remove anywhere in a URL. */
const leftOut = /[\t\r\n]/g;

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
