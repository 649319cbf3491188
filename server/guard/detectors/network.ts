import ipaddr from "ipaddr.js";
import type { CallOnTrial } from "../call-on-trial";
import { excerpt } from "../excerpt";
import { rememberLatest } from "../remember-latest";
import { valuesOf } from "../shell/inner-commands";
import type { Detector, Sighting } from "./detector";

/** What is wrong with where a call would connect to. */
type Kind = "private" | "metadata" | "rebinding" | "scheme" | "userinfo";
type Trouble = {
  kind: Kind;
  /** Made for the one that is told; the others are only counted. */
  say: () => string;
  text: string;
};

const explanation =
  "Addresses inside a network are trusted by what runs there. A call that reaches them from here reaches what nobody outside may see.";
/** Our own tools for files reach no network. */
const appliesTo: Detector["appliesTo"] = ({ source, needs }) => source !== "builtin" || needs.includes("http") || needs.includes("shell");
const none: readonly Trouble[] = [];
const troublesIn = rememberLatest(findTroubles);
const mayFind = (call: CallOnTrial) => troublesIn(call).length > 0;
const common = { explanation, severity: "high", verdict: "require_approval", relaxable: true, appliesTo, mayFind } as const;

function detector(kind: Kind, described: Pick<Detector, "title" | "fix"> & Partial<Detector>): Detector {
  const find = (call: CallOnTrial): readonly Sighting[] =>
    troublesIn(call)
      .filter((trouble) => trouble.kind === kind)
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
  detector("private", { title: "Private address", fix: "Use an address of the public internet." }),
  detector("rebinding", {
    title: "Name of a private address",
    fix: "Use a name that belongs to the service itself.",
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

const metadataHosts = new Set(["metadata.google.internal", "metadata", "metadata.goog", "instance-data", "instance-data.ec2.internal"]);
const metadataAddresses = new Set([
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "168.63.129.16",
  "100.100.100.200",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd20:ce::254",
]);
const innerName = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|svc|consul|docker|home\.arpa|in-addr\.arpa)$/;
const rebindingName =
  /(?:^|\.)(?:(?:sslip|nip|xip)\.io|localtest\.me|lvh\.me|vcap\.me|lacolhost\.com|rbndr\.us|rebind\.it|rebind\.network|1u\.ms|traefik\.me|backname\.io|local\.gd|fuf\.me|ip6\.name|ulh\.us)$/;
/** An address in front of a name, as services for such names read it: `127-0-0-1.x.example`. */
const addressInName = /(?<![\da-z]|\d[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?=[.-][a-z])/g;
const isPublic = (range: string): boolean => range === "unicast" || range === "reserved";
const isInner = (bytes: readonly string[]): boolean =>
  bytes.every((byte) => Number(byte) <= 255) && !isPublic(new ipaddr.IPv4(bytes.map(Number)).range());
const otherScheme =
  /^(?:file|gopher|dict|ftp|ftps|tftp|sftp|scp|ldap|ldaps|smb|jar|netdoc|php|phar|expect|data|view-source|imap|pop3|rtsp|telnet|unix|nfs|rsync)$/;

/** The last part of an argument's name, in small letters and with `_` between its words: `target_host`, `hosts`. */
const hostName =
  /(?:^|_)(?:hosts?|host_?names?|addr(?:ess(?:es)?|s)?|ips?|servers?|name_?servers?|domains?|endpoints?|gateways?|prox(?:y|ies)|remotes?|base_?urls?)$/;
const noHostName = /mail/;
/** With slashes, or without any, where readers of URLs put them in; `http:80` is a name and its port. */
const urlInText = /\b(?:([a-z][a-z0-9+.-]{1,20}):[/\\]{1,6}|(https?|wss?|ftp):(?!0*[1-9]\d{0,4}(?![\w.])))([^\s"'`<>|;)]{1,2048})/gi;
const mayHoldUrl = /:[/\\]|\b(?:https?|wss?|ftp):\S/i;
/** Signs that readers of URLs leave out, wherever they stand. */
const leftOut = /[\t\r\n]/g;
const connecting = new Set([
  "curl",
  "wget",
  "nc",
  "ncat",
  "netcat",
  "telnet",
  "ssh",
  "scp",
  "sftp",
  "ftp",
  "ping",
  "http",
  "https",
  "xh",
  "socat",
  "openssl",
  "nmap",
  "dig",
  "nslookup",
  "host",
  "aria2c",
]);

/** Commands for which a URL is a text to look for or to print. */
const onlyLooks = /^(?:echo|printf|[efzr]?grep|rg|ag|sed|[gmn]?awk|find|cat|head|tail|less)$/;

const maxUrls = 100;
const maxHosts = 300;
const maxUrlChars = 2_048;

function findTroubles(call: CallOnTrial): readonly Trouble[] {
  let found: Trouble[] | null = null;
  const note = (troubles: readonly Trouble[]) => {
    if (troubles.length === 0) return;
    found ??= [];
    found.push(...troubles);
  };
  let hosts = 0;
  const reaches = call.tool.needs.includes("http") || call.scripts.length > 0;
  for (const { name, text } of call.texts) {
    if (call.shell && name === call.tool.primaryArgument && !call.shell.script.unreadable) continue;
    const isUrl = isUrlArgument(name, text, call);
    const plain = isUrl ? text.replace(leftOut, "") : text;
    if (mayHoldUrl.test(plain)) {
      // A text that only mentions an address is no connection; the metadata service is worth a question all the same.
      const isMeant = reaches || isUrl || !/\s/.test(text.trim());
      note(troublesInText(plain).filter(({ kind }) => isMeant || kind === "metadata"));
    }
    if (!isHostArgument(name, text, call) && !isMetadata(text)) continue;
    hosts += 1;
    if (hosts <= maxHosts || isMetadata(text)) note(troublesOfHost(hostOf(text), text));
  }
  if (hosts > maxHosts) note([{ kind: "private", say: () => `The call names more than ${maxHosts} hosts.`, text: "" }]);
  for (const { running } of call.scripts) {
    for (const { commands } of running) {
      for (const { name, words } of commands) {
        if (onlyLooks.test(name)) continue;
        if (name === "curl") note(troublesOfDetours(words.slice(1)));
        for (const word of words.slice(1)) {
          if (mayHoldUrl.test(word)) note(troublesInText(word));
          // A URL may stand behind the host, in what is asked of it.
          if (connecting.has(name) && looksLikeHost(word)) note(troublesOfHost(hostOf(word), word));
        }
      }
    }
  }
  return found ?? none;
}

/** Options of curl that say where to connect to, whatever host the URL has. */
const detours = ["--resolve", "--connect-to", "-x", "--proxy", "--preproxy", "--socks4", "--socks4a", "--socks5", "--socks5-hostname"];

const maxPort = 65_535;

/** `--resolve example.com:80:10.0.0.1`, `-x10.0.0.1:3128`: each host in the values of such options. */
function troublesOfDetours(args: readonly string[]): Trouble[] {
  return valuesOf(args, detours).flatMap((value) => {
    const pieces = [...value.slice(0, maxUrlChars).matchAll(/\[([^\]]*)\]|([^\s:,@/[\]]+)/g)].map(([, bare, plain]) => bare ?? plain ?? "");
    return pieces.filter((piece) => !(Number(piece) <= maxPort)).flatMap((piece) => troublesOfHost(piece, value));
  });
}

function troublesInText(text: string): Trouble[] {
  const found: Trouble[] = [];
  const seen = new Set<string>();
  let urls = 0;
  for (const [url, withSlashes, without, rest = ""] of text.matchAll(urlInText)) {
    const scheme = withSlashes ?? without ?? "";
    urls += 1;
    if (urls > maxUrls) return [...found, { kind: "private", say: () => `An argument has more than ${maxUrls} URLs.`, text: "" }];
    if (seen.has(url)) continue;
    seen.add(url);
    found.push(...troublesOfUrl(scheme.toLowerCase(), rest, url));
  }
  return found;
}

/** Whether an argument is a URL and nothing else, though it may be broken over lines. */
function isUrlArgument(name: string, text: string, { tool }: CallOnTrial): boolean {
  return (
    text.length <= maxUrlChars &&
    /[\t\r\n]/.test(text) &&
    (tool.needs.includes("http") || /ur[il]s?$/i.test(name)) &&
    !/ /.test(text.trim())
  );
}

/** Whether a text is the metadata service, whatever argument it stands in. */
function isMetadata(text: string): boolean {
  return (
    text.length <= maxMetadataChars && text.length > 8 && (metadataAddresses.has(text) || (text.includes(".") && metadataHosts.has(text)))
  );
}

const maxMetadataChars = Math.max(...[...metadataHosts, ...metadataAddresses].map((name) => name.length));

function isHostArgument(name: string, text: string, { tool }: CallOnTrial): boolean {
  return isHostName(name) || ((tool.needs.includes("http") || /^ur[il]$/i.test(name)) && looksLikeHost(text));
}

/** Names of arguments are few, and each is asked about again and again. */
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

/** A host with or without a user, a port and what follows: `10.0.0.1:8080/x`, `me@localhost`, `me:x@10.0.0.1?x`. */
const hostForm = /^(?:[^\s/?#\\]*@)?(?:\[[^\s\]]+\]|[^\s/?#\\@:[\]]+)(?::[\w.-]*)?(?:[/?#\\].*)?$/s;

function looksLikeHost(word: string): boolean {
  const start = word.slice(0, maxUrlChars);
  return isIpv6(start) || (!start.startsWith("-") && hostForm.test(start) && /\p{N}|\.|:|localhost|metadata/iu.test(start));
}

function hostOf(text: string): string {
  const afterUser = text
    .slice(0, maxUrlChars)
    .trim()
    .replace(/^[^/?#\\]*@/, "");
  if (isIpv4(afterUser) || isIpv6(afterUser)) return afterUser;
  return /^\[([^\]]*)\]/.exec(afterUser)?.[1] ?? afterUser.replace(/[:/?#\\].*$/s, "");
}

function troublesOfUrl(scheme: string, rest: string, url: string): Trouble[] {
  // Where it leads may stand behind what was read of it.
  if (rest.length >= maxUrlChars && !/[/?#]/.test(rest))
    return [{ kind: "private", say: () => "An argument has a URL whose host is too long to be one.", text: url }];
  if (otherScheme.test(scheme)) {
    const say = () => `\`${excerpt(url)}\` is a URL of the kind \`${scheme}:\`.`;
    return [{ kind: "scheme", say, text: url }, ...(scheme === "file" || scheme === "data" ? [] : hostTroubles(rest, url))];
  }
  const found = hostTroubles(rest, url);
  const host = hostOf(rest.replace(/[/?#\\].*$/s, ""));
  if (found.length > 0 || !/^(?:https?|wss?)$/.test(scheme) || !shortName.test(host)) return found;
  return [
    { kind: "private", say: () => `\`${excerpt(url)}\` is a name without a domain, which only a network of its own knows.`, text: url },
  ];
}

const shortName = /^[a-z][a-z0-9-]{0,62}$/i;

function hostTroubles(rest: string, url: string): Trouble[] {
  const authority = rest.replace(/[/?#\\].*$/s, "");
  const at = authority.lastIndexOf("@");
  const troubles: Trouble[] = [];
  // A name with a dot before the @ is there to be taken for the host.
  if (at >= 0 && /\./.test(authority.slice(0, at).replace(/:.*$/s, ""))) {
    troubles.push({
      kind: "userinfo",
      say: () => `\`${excerpt(url)}\` leads to \`${excerpt(authority.slice(at + 1))}\`, not to the name before the @.`,
      text: url,
    });
  }
  // Readers differ in what they take for the host when there is a backslash, or more than one @.
  for (const part of new Set([
    ...authority.split("@"),
    rest
      .replace(/[/?#].*$/s, "")
      .split(/[\\@]/)
      .at(-1) ?? "",
  ])) {
    if (part !== "" && (part === authority.slice(at + 1) || authority.split("@").length > 2 || rest.includes("\\")))
      troubles.push(...troublesOfHost(hostOf(part), url));
  }
  return troubles;
}

function troublesOfHost(written: string, text: string): Trouble[] {
  const [known = ""] = decoded(written).split("\0");
  const host = known.normalize("NFKC").toLowerCase().replace(/[。｡]/g, ".").replace(/\.+$/, "");
  if (host === "") return [];
  const address = addressOf(host);
  const trouble = (kind: Kind, what: string): Trouble[] => [{ kind, say: () => `\`${excerpt(text)}\` ${what}`, text }];
  if (metadataHosts.has(host) || (address !== null && metadataAddresses.has(address.toString()))) {
    return trouble("metadata", "is where a cloud keeps the machine's own credentials.");
  }
  if (address !== null) {
    const range = address.range();
    if (isPublic(range)) return [];
    return trouble("private", `leads to ${address.toString()}, which is no address of the public internet (${range}).`);
  }
  if (innerName.test(host)) return trouble("private", "is a name inside a network or of this machine.");
  if (rebindingName.test(host) || [...host.matchAll(addressInName)].some(([, ...bytes]) => isInner(bytes)))
    return trouble("rebinding", "is a name that leads to whatever address is written into it.");
  return [];
}

function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const translations = ["64:ff9b::/96", "2002::/16", "::/96"].map((range) => ipaddr.IPv6.parseCIDR(range));

/** Asked only where it may be one: the library makes an error of every no, and an error costs more than all the rest. */
const isIpv4 = (text: string) => /^\d[\da-fx.]*$/i.test(text) && ipaddr.IPv4.isValid(text);
const isIpv6 = (text: string) => /^[\da-fx.]*:[\da-fx.]*:[\da-fx:.]*(?:%.*)?$/is.test(text) && ipaddr.IPv6.isValid(text);

/** An address in any spelling that programs take: decimal, octal, hex, short, mapped or translated into IPv6. */
function addressOf(host: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const text = host.replace(/^\[|\]$/g, "").replace(/%.*$/s, "");
  // 2130706433, 0x7f.1, 0177.0.0.1
  if (isIpv4(text)) return ipaddr.IPv4.parse(text);
  if (!isIpv6(text)) return null;
  const address = ipaddr.process(text);
  if (address.kind() !== "ipv6" || !(address instanceof ipaddr.IPv6)) return address;
  const [nat, sixToFour, compatible] = translations;
  const bytes = address.toByteArray();
  if (nat && address.match(nat)) return new ipaddr.IPv4(bytes.slice(12));
  if (sixToFour && address.match(sixToFour)) return new ipaddr.IPv4(bytes.slice(2, 6));
  if (compatible && address.match(compatible) && bytes.slice(12).some((byte) => byte > 1)) return new ipaddr.IPv4(bytes.slice(12));
  return address;
}
