import { expect, test } from "vitest";
import { AllowedHost } from "./allowed-host";

test.each([
  ["registry.npmjs.org", "registry.npmjs.org"],
  [" Registry.NPMJS.org ", "registry.npmjs.org"],
  ["*.npmjs.org", "*.npmjs.org"],
  ["proxy.example.com:8443", "proxy.example.com:8443"],
  ["xn--bcher-kva.example", "xn--bcher-kva.example"],
  ["93.184.216.34", "93.184.216.34"],
  ["10.0.0.5:8080", "10.0.0.5:8080"],
  ["localhost:3000", "localhost:3000"],
  ["build-server", "build-server"],
  ["2606:2800:220:1::1", "2606:2800:220:1::1"],
  ["[2606:2800:220:1::1]", "[2606:2800:220:1::1]"],
  ["[fd00::1]:443", "[fd00::1]:443"],
])("%s is a host to allow", (entry, kept) => {
  expect(AllowedHost.parse(entry)).toBe(kept);
});

const alone = "write the host alone, without https://, user or path";
const name = "write a host name such as registry.npmjs.org; names outside ASCII in their xn-- form";
const port = "the port is a number from 1 to 65535";

test.each([
  ["https://registry.npmjs.org", alone],
  ["registry.npmjs.org/left-pad", alone],
  ["user@registry.npmjs.org", alone],
  ["one.example two.example", "write one host in each entry"],
  ["*", "a * stands for whole names at the beginning only: *.example.com"],
  ["npm*.org", "a * stands for whole names at the beginning only: *.example.com"],
  ["*.*.org", "a * stands for whole names at the beginning only: *.example.com"],
  ["*.com", "write at least two names after the *: *.example.com"],
  ["bücher.example", name],
  ["-npmjs.org", name],
  ["npmjs..org", name],
  [".npmjs.org", name],
  ["npmjs.org.", name],
  ["npmjs.org:0", port],
  ["npmjs.org:65536", port],
  ["npmjs.org:", port],
  ["npmjs.org:https", port],
  ["1.2.3", "an IPv4 address has four numbers from 0 to 255"],
  ["1.2.3.256", "an IPv4 address has four numbers from 0 to 255"],
  ["010.0.0.5:80", "an IPv4 address has four numbers from 0 to 255"],
  ["10.0.0.5", "a private address needs its port: 10.0.0.5:8080"],
  ["172.31.0.1", "a private address needs its port: 172.31.0.1:8080"],
  ["169.254.169.254", "a private address needs its port: 169.254.169.254:8080"],
  ["localhost", "a private address needs its port: localhost:8080"],
  ["::1", "a private address needs its port: [::1]:8080"],
  ["[fd00::1]", "a private address needs its port: [fd00::1]:8080"],
  ["fd00::zz", "write an IPv6 address in brackets: [2001:db8::1]:443"],
  ["[npmjs.org]", "write an IPv6 address in brackets: [2001:db8::1]:443"],
])("%s is refused with a sentence that says what to write", (entry, sentence) => {
  expect(AllowedHost.safeParse(entry).error?.issues.map(({ message }) => message)).toEqual([sentence]);
});
