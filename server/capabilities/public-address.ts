import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/** Azure's platform address, which serves metadata to every machine although its number is public. */
const metadataAddresses = new Set(["168.63.129.16"]);
/** Metadata addresses outside 169.254.0.0/16, in the clouds of Azure, Amazon, Google, Alibaba and Oracle. */
const otherMetadataAddresses = new Set([
  ...metadataAddresses,
  ...["fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "100.100.100.200", "192.0.0.192"],
]);
/** IPv6 ranges that carry an IPv4 address, and the byte where it begins: NAT64, 6to4, IPv4-compatible. */
const translations = [
  ["64:ff9b::/96", 12],
  ["2002::/16", 2],
  ["::/96", 12],
].map(([range, start]) => ({ range: ipaddr.IPv6.parseCIDR(String(range)), start: Number(start) }));
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Returns true for an address of the public internet: not private, loopback, link-local, carrier-grade NAT, multicast,
 * reserved, a cloud's metadata service, a translation of an IPv4 address (mapped, NAT64, 6to4, Teredo), or our own.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  // `process` turns ::ffff:127.0.0.1 into the IPv4 address that it contains.
  const address = ipaddr.process(text);
  if (address.range() !== "unicast") return false;
  if (address.kind() === "ipv6" && !address.match(globalUnicast)) return false;
  return !metadataAddresses.has(address.toString()) && !ownAddresses().has(address.toString());
}

/**
 * Returns true for an address of a cloud's metadata service, which hands out the machine's credentials: all of
 * 169.254.0.0/16 and the addresses that some clouds chose elsewhere, also as IPv6 addresses that carry them.
 */
export function isMetadataAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return true;
  const address = carriedAddress(ipaddr.process(text));
  const isLinkLocal = address.kind() === "ipv4" && address.range() === "linkLocal";
  return isLinkLocal || otherMetadataAddresses.has(address.toString());
}

function carriedAddress(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  const found = translations.find(({ range }) => address.match(range));
  return found ? new ipaddr.IPv4(address.toByteArray().slice(found.start, found.start + 4)) : address;
}

/** Returns the addresses of this machine, because our own services listen there. */
function ownAddresses(): Set<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((interfaces) => interfaces ?? []);
  return new Set(addresses.map(({ address }) => ipaddr.process(address.split("%")[0] ?? address).toString()));
}

/** Returns whether a URL's host is the loopback address of whoever connects. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  return isIP(name) !== 0 && ipaddr.process(name).range() === "loopback";
}

/** Returns whether a URL's host is local by its name, or a private address as written. Other names are checked on connection. */
export function isPrivateAsWritten(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return name === "localhost" || name.endsWith(".localhost") || (isIP(name) !== 0 && !isPublicAddress(name));
}
