import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { isPublicAddress } from "./public-address";

test.each([
  "8.8.8.8",
  "93.184.215.14",
  "172.15.255.255",
  "172.32.0.1",
  "100.63.255.255",
  "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
  "2a00:1450:4001:82b::200e",
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ["loopback", "127.0.0.1"],
  ["loopback, another one", "127.255.255.254"],
  ["this host", "0.0.0.0"],
  ["this network", "0.1.2.3"],
  ["private, ten", "10.1.2.3"],
  ["private, a hundred and seventy-two", "172.16.0.1"],
  ["private, a hundred and ninety-two", "192.168.1.1"],
  ["link-local and the metadata services of most clouds", "169.254.169.254"],
  ["Azure's platform address", "168.63.129.16"],
  ["Alibaba's metadata service", "100.100.100.200"],
  ["Oracle's metadata service", "192.0.0.192"],
  ["carrier-grade NAT", "100.64.0.1"],
  ["benchmarks", "198.18.0.1"],
  ["documentation", "203.0.113.7"],
  ["multicast", "224.0.0.1"],
  ["reserved", "240.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["IPv6 loopback", "::1"],
  ["IPv6 unspecified", "::"],
  ["IPv6 unique local", "fd00:ec2::254"],
  ["IPv6 link-local", "fe80::1"],
  ["IPv6 link-local with a zone", "fe80::1%eth0"],
  ["IPv6 site-local", "fec0::1"],
  ["IPv6 multicast", "ff02::1"],
  ["IPv4-mapped loopback", "::ffff:127.0.0.1"],
  ["IPv4-mapped loopback in hexadecimal", "::ffff:7f00:1"],
  ["IPv4-mapped private", "::ffff:10.0.0.1"],
  ["IPv4-compatible loopback", "::127.0.0.1"],
  ["IPv4-translated", "::ffff:0:127.0.0.1"],
  ["NAT64", "64:ff9b::7f00:1"],
  ["NAT64, local use", "64:ff9b:1::a00:1"],
  ["6to4 of loopback", "2002:7f00:1::"],
  ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
  ["IPv6 documentation", "2001:db8::1"],
  ["IPv6 discard", "100::1"],
  ["no address", "localhost"],
  ["nothing", ""],
])("%s is not public: %s", (_what, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test("a public address that means the same in mapped form is public", () => {
  expect(isPublicAddress("::ffff:8.8.8.8")).toBe(true);
});

test("addresses of this machine are not public, whatever their number", () => {
  const own = Object.values(networkInterfaces()).flatMap((interfaces) => interfaces ?? []);
  expect(own.length).toBeGreaterThan(0);
  for (const { address } of own) expect(isPublicAddress(address)).toBe(false);
});
