import { describe, expect, test } from "vitest";
import { canonicalHost, coversHost, hostFault, parseGrantedHost } from "./granted-hosts";

const covers = (entries: string[], host: string, port: number) =>
  coversHost(
    entries.flatMap((entry) => parseGrantedHost(entry) ?? []),
    host,
    port,
  );

describe("What a granted host covers", () => {
  test.each([
    ["example.com", "example.com", 443, true],
    ["example.com", "example.com", 80, true],
    ["example.com", "example.com", 22, false],
    ["example.com", "www.example.com", 443, false],
    ["example.com", "badexample.com", 443, false],
    ["Example.COM.", "example.com", 443, true],
    ["example.com:8443", "example.com", 8_443, true],
    ["example.com:8443", "example.com", 443, false],
    ["*.example.com", "www.example.com", 443, true],
    ["*.example.com", "a.b.example.com", 80, true],
    ["*.example.com", "example.com", 443, false],
    ["*.example.com", "badexample.com", 443, false],
    ["*.example.com:8080", "a.example.com", 8_080, true],
    ["*.example.com:8080", "a.example.com", 80, false],
    ["0x7f.1:80", "127.0.0.1", 80, true],
    ["[2001:DB8::1]:443", "2001:db8::1", 443, true],
    ["bücher.example", "xn--bcher-kva.example", 443, true],
  ])("%s covers %s on port %i: %s", (entry, host, port, expected) => {
    expect(covers([entry], host, port)).toBe(expected);
  });

  test("No entry covers nothing", () => {
    expect(covers([], "example.com", 443)).toBe(false);
  });
});

describe("What is no host", () => {
  test.each([
    "",
    "*",
    "*.com",
    "*.127.0.0.1",
    "a b",
    "https://example.com",
    "example.com/path",
    "user@example.com",
    "example.com:0",
    "example.com:70000",
    "example.com:http",
    "::1",
    "*.*.example.com",
    "exa%6dple.com",
    "example.com\\@evil.test",
  ])("%j is refused with a sentence", (entry) => {
    expect(hostFault(entry)).toBe(
      `${JSON.stringify(entry)} is not a host. Write a name such as registry.npmjs.org, *.example.com or example.com:8443.`,
    );
  });

  test("Spellings of one address become one", () => {
    expect(["127.0.0.1", "2130706433", "0177.0.0.1", "127.1"].map(canonicalHost)).toEqual(Array(4).fill("127.0.0.1"));
    expect(canonicalHost("[::FFFF:127.0.0.1]")).toBe("::ffff:7f00:1");
    expect(canonicalHost("a:80")).toBeNull();
  });
});
