import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/** Azure's platform address, which serves metadata to every machine although its number is public. */
const metadataAddresses = new Set(["168.63.129.16"]);
/** Metadata addresses outside 169.254.0.0/16: Azure's, Amazon's (IPv6) and Alibaba's. */
const otherMetadataAddresses = new Set([...metadataAddresses, "fd00:ec2::254", "100.100.100.200"]);
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
 * 169.254.0.0/16 and the addresses that some clouds chose elsewhere.
 */
export function isMetadataAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return true;
  const address = ipaddr.process(text);
  const isLinkLocal = address.kind() === "ipv4" && address.range() === "linkLocal";
  return isLinkLocal || otherMetadataAddresses.has(address.toString());
}

/** Returns the addresses of this machine, because our own services listen there. */
function ownAddresses(): Set<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((interfaces) => interfaces ?? []);
  return new Set(addresses.map(({ address }) => ipaddr.process(address.split("%")[0] ?? address).toString()));
}

/** Returns whether a URL's host is local by its name, or a private address as written. Other names are checked on connection. */
export function isPrivateAsWritten(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return name === "localhost" || name.endsWith(".localhost") || (isIP(name) !== 0 && !isPublicAddress(name));
}
