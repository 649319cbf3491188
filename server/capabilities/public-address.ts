import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/** Public by its number, and yet inside: the platform address that Azure gives every machine. */
const metadataAddresses = new Set(["168.63.129.16"]);
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address is one of the public internet: not private, loopback, link-local, carrier-grade NAT, multicast,
 * reserved, a cloud's metadata service, a translation of an IPv4 address (mapped, NAT64, 6to4, Teredo), or our own.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  // `process` turns ::ffff:127.0.0.1 into the IPv4 address that it means.
  const address = ipaddr.process(text);
  if (address.range() !== "unicast") return false;
  if (address.kind() === "ipv6" && !address.match(globalUnicast)) return false;
  return !metadataAddresses.has(address.toString()) && !ownAddresses().has(address.toString());
}

/** Addresses of this machine, where our own services listen. */
function ownAddresses(): Set<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((interfaces) => interfaces ?? []);
  return new Set(addresses.map(({ address }) => ipaddr.process(address.split("%")[0] ?? address).toString()));
}
