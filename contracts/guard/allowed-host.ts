import { z } from "zod";

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const number = /^\d{1,3}$/;
const maxNameChars = 253;
const maxPort = 65_535;

/** A host that programs may reach: a name, `*.name` or an address, each with `:port` or without. */
export const AllowedHost = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(300)
  .superRefine((entry, context) => {
    const mistake = hostMistake(entry);
    if (mistake !== null) context.addIssue({ code: "custom", message: mistake });
  })
  .describe(
    "A host name, `*.name` for all names below it, or an address; `:port` allows that port only. A private address needs its port.",
  );
export type AllowedHost = z.infer<typeof AllowedHost>;

/** Returns a sentence that says why a lower-case entry is no host and what to write instead; null for a valid host. */
function hostMistake(entry: string): string | null {
  if (/[\s,;]/.test(entry)) return "write one host in each entry";
  if (entry.includes("://") || /[/\\?#@]/.test(entry)) return "write the host alone, without https://, user or path";
  const { host, port } = splitPort(entry);
  if (port !== null && !(/^[1-9]\d{0,4}$/.test(port) && Number(port) <= maxPort)) return "the port is a number from 1 to 65535";
  if (host.startsWith("[") || host.includes(":")) return addressMistake(host, port);
  const labels = host.split(".");
  if (number.test(labels.at(-1) ?? "")) return numericMistake(labels, port);
  return nameMistake(host, port);
}

/** Splits a port off: `[::1]:80` and `name:80` have one, `fd00::1` is an address without. */
function splitPort(entry: string): { host: string; port: string | null } {
  const bracketed = /^(\[[^\]]*\])(?::(.*))?$/.exec(entry);
  if (bracketed) return { host: bracketed[1] ?? "", port: bracketed[2] ?? null };
  const [host = "", port, ...more] = entry.split(":");
  return port === undefined || more.length > 0 ? { host: entry, port: null } : { host, port };
}

function nameMistake(host: string, port: string | null): string | null {
  const name = host.startsWith("*.") ? host.slice(2) : host;
  if (name.includes("*")) return "a * stands for whole names at the beginning only: *.example.com";
  if (host.startsWith("*.") && !name.includes(".")) return "write at least two names after the *: *.example.com";
  if (name.length > maxNameChars || !name.split(".").every((part) => label.test(part))) {
    return "write a host name such as registry.npmjs.org; names outside ASCII in their xn-- form";
  }
  return /(^|\.)localhost$/.test(name) && port === null ? withPort(host) : null;
}

function numericMistake(labels: readonly string[], port: string | null): string | null {
  const parts = labels.map(Number);
  const isAddress =
    labels.length === 4 && labels.every((part) => number.test(part) && String(Number(part)) === part && Number(part) <= 255);
  if (!isAddress) return "an IPv4 address has four numbers from 0 to 255";
  return port === null && isPrivate(parts) ? withPort(labels.join(".")) : null;
}

function addressMistake(host: string, port: string | null): string | null {
  const address = host.replace(/^\[|\]$/g, "");
  if (!z.ipv6().safeParse(address).success) return "write an IPv6 address in brackets: [2001:db8::1]:443";
  return port === null && /^(::1?$|f[cd]|fe[89ab])/.test(address) ? withPort(`[${address}]`) : null;
}

function isPrivate([a = 0, b = 0]: readonly number[]): boolean {
  return (
    a === 0 ||
    a === 10 ||
    a === 127 ||
    (a === 100 && b >= 64 && b <= 127) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168)
  );
}

function withPort(host: string): string {
  return `a private address needs its port: ${host}:8080`;
}
