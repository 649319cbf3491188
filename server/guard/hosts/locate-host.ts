import type { EffectTarget } from "@/contracts/decisions/effects";
import { type ShellWord, unknownPiece } from "../script/words";
import { hostRisks, isLoopback, parseHost } from "./host-risks";

type Word = Pick<ShellWord, "value">;

const ports: Readonly<Record<string, string>> = { http: "80", https: "443", ws: "80", wss: "443", ftp: "21", ssh: "22", git: "9418" };

/**
 * Locates a host: `name`, `user@name`, `name:port`, `[::1]:port`. Localhost is inside when sandboxed, because the
 * sandbox has its own loopback.
 */
export function locateHost({ value }: Word, sandboxed: boolean): EffectTarget {
  const written = value.trim();
  const [beforePath = ""] = written.replace(/^[^/?#\\@]*@/, "").split(/[/?#\\]/);
  if (beforePath === "" || beforePath.includes(unknownPiece)) return riskyUnknown(written);
  const name = parseHost(written).normalize("NFKC").toLowerCase().replace(/\.$/, "");
  const port = /:(\d{1,5})$/.exec(
    beforePath.startsWith("[") ? beforePath.replace(/^\[[^\]]*\]/, "") : beforePath.includes("::") ? "" : beforePath,
  )?.[1];
  const host = port ? withPort(name, port) : name;
  if (isLoopback(name)) return sandboxed ? { where: "inside", host } : { where: "outside", host, class: "private" };
  const risk = hostRisks(name, written)[0]?.kind;
  if (risk === "metadata") return { where: "outside", host, class: "metadata" };
  return risk === undefined ? { where: "outside", host } : { where: "outside", host, class: "private" };
}

/** A name without a domain, which only a network of its own knows. */
export const shortName = /^[a-z][a-z0-9-]{0,62}$/i;

/** Locates the host of a URL; a word without a scheme is read as `http://word`. */
export function locateUrl(word: Word, sandboxed: boolean): EffectTarget {
  const target = locateAuthority(word, sandboxed);
  const isShort = target.where === "outside" && target.class === undefined && shortName.test(splitHost(target.host ?? "").name);
  return isShort ? { ...target, class: "private" } : target;
}

function locateAuthority({ value }: Word, sandboxed: boolean): EffectTarget {
  const written = value.trim();
  const [, scheme, rest = ""] = /^([a-z][a-z0-9+.-]{1,20}):[/\\]*(.*)$/is.exec(written) ?? [];
  // A text such as `fe80::1` is an address, and its beginning is no scheme.
  if (scheme === undefined || /^\d{1,5}(?:[/?#]|$)/.test(rest) || /^[\da-f]*:[\da-f]*:/i.test(written))
    return locateHost({ value: written }, sandboxed);
  const target = locateHost({ value: rest }, sandboxed);
  const standard = ports[scheme.toLowerCase()];
  const { host } = target;
  if (host === undefined || standard === undefined) return target;
  const { name, port } = splitHost(host);
  return port === standard ? { ...target, host: name } : target;
}

/** Splits an effect's host into its name and its port; an IPv6 address has brackets where a port follows. */
export function splitHost(host: string): { name: string; port: string | null } {
  const [, bracketed, plain, port = null] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(host) ?? [];
  return { name: bracketed ?? plain ?? host.replace(/^\[(.*)\]$/, "$1"), port };
}

/** Returns `host:port`, with brackets around an IPv6 address. */
export function withPort(name: string, port: string | number): string {
  return `${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Locates a host that is known only at run time; its known pieces may already name the metadata service. */
function riskyUnknown(written: string): EffectTarget {
  const pieces = written.replaceAll(unknownPiece, "");
  return hostRisks(parseHost(pieces), written)[0]?.kind === "metadata"
    ? { where: "outside", host: pieces, class: "metadata" }
    : { where: "not_known" };
}
