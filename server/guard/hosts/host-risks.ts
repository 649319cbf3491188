import ipaddr from "ipaddr.js";
import { excerpt } from "../excerpt";

/** The reason why a call should not connect to a host. */
export type HostRiskKind = "private" | "metadata" | "rebinding" | "scheme" | "userinfo";
export type HostRisk = {
  kind: HostRiskKind;
  /** Builds the sentence on demand, because only the first risk is told and the others are counted. */
  say: () => string;
  text: string;
  /** The name may lead to the public address that is written into it. */
  mayBePublic?: true;
};

/** Maximum number of characters read of a URL or host. */
export const maxUrlChars = 2_048;

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
/** An address at the front of a name, as DNS services such as sslip.io read it: `127-0-0-1.x.example`. */
const addressInName = /(?<![\da-z]|\d[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?=[.-][a-z])/g;
const isPublic = (range: string): boolean => range === "unicast" || range === "reserved";
const isInner = (bytes: readonly string[]): boolean =>
  bytes.every((byte) => Number(byte) <= 255) && !isPublic(new ipaddr.IPv4(bytes.map(Number)).range());

/** Returns whether a text is the metadata service, in whatever argument it stands. */
export function isMetadata(text: string): boolean {
  return (
    text.length <= maxMetadataChars && text.length > 8 && (metadataAddresses.has(text) || (text.includes(".") && metadataHosts.has(text)))
  );
}

const maxMetadataChars = Math.max(...[...metadataHosts, ...metadataAddresses].map((name) => name.length));

/** A host with optional user, port and rest: `10.0.0.1:8080/x`, `me@localhost`, `me:x@10.0.0.1?x`. */
const hostForm = /^(?:[^\s/?#\\]*@)?(?:\[[^\s\]]+\]|[^\s/?#\\@:[\]]+)(?::[\w.-]*)?(?:[/?#\\].*)?$/s;

/** Commands whose operands are hosts, with or without a scheme. */
export const connecting: ReadonlySet<string> = new Set(
  "curl wget nc ncat netcat telnet ssh scp sftp ftp ping http https xh socat openssl nmap dig nslookup host aria2c wget2 ping6 mosh traceroute".split(
    " ",
  ),
);

/** Returns whether a word may be a host for commands that connect. */
export function looksLikeHost(word: string): boolean {
  const start = word.slice(0, maxUrlChars);
  return isIpv6(start) || (!start.startsWith("-") && hostForm.test(start) && /\p{N}|\.|:|localhost|metadata/iu.test(start));
}

/** Extracts the host from a text that looks like one. */
export function parseHost(text: string): string {
  const afterUser = text
    .slice(0, maxUrlChars)
    .trim()
    .replace(/^[^/?#\\]*@/, "");
  if (isIpv4(afterUser) || isIpv6(afterUser)) return afterUser;
  return /^\[([^\]]*)\]/.exec(afterUser)?.[1] ?? afterUser.replace(/[:/?#\\].*$/s, "");
}

/** Returns whether a name or an address, in any spelling, is a loopback address. */
export function isLoopback(name: string): boolean {
  if (/^(?:.+\.)?localhost$|^localhost\.localdomain$|^ip6-localhost$/.test(name)) return true;
  const address = addressOf(name);
  return address !== null && address.range() === "loopback";
}

/** Returns the risks of a host, in the spelling of the call. */
export function hostRisks(asWritten: string, text: string): HostRisk[] {
  const [known = ""] = decoded(asWritten).split("\0");
  const host = known.normalize("NFKC").toLowerCase().replace(/[。｡]/g, ".").replace(/\.+$/, "");
  const address = addressOf(host);
  const risk = (kind: HostRiskKind, what: string): HostRisk[] => [{ kind, say: () => `\`${excerpt(text)}\` ${what}`, text }];
  if (metadataHosts.has(host) || (address !== null && metadataAddresses.has(address.toString()))) {
    return risk("metadata", "is where a cloud keeps the machine's own credentials.");
  }
  if (address !== null) {
    const range = address.range();
    if (isPublic(range)) return [];
    return risk("private", `leads to ${address.toString()}, which is no address of the public internet (${range}).`);
  }
  if (innerName.test(host)) return risk("private", "is a name inside a network or of this machine.");
  const written = [...host.matchAll(addressInName)].map(([, ...bytes]) => bytes);
  const isInside = written.some(isInner);
  if (!rebindingName.test(host) && !isInside) return [];
  const [rebinding] = risk("rebinding", "is a name that leads to whatever address is written into it.");
  return rebinding ? [written.length > 0 && !isInside ? { ...rebinding, mayBePublic: true } : rebinding] : [];
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

/** The regular expression filters first, because the library creates an expensive error for every invalid address. */
const isIpv4 = (text: string) => /^\d[\da-fx.]*$/i.test(text) && ipaddr.IPv4.isValid(text);
const isIpv6 = (text: string) => /^[\da-fx.]*:[\da-fx.]*:[\da-fx:.]*(?:%.*)?$/is.test(text) && ipaddr.IPv6.isValid(text);

/** Parses an address in any spelling that programs accept: decimal, octal, hex, short, mapped or translated into IPv6. */
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
