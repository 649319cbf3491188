import { expect, test } from "vitest";
import { compileAllowedHosts } from "./allowed-hosts";
import { locateHost, locateUrl } from "./locate-host";

const shown = ({ where, host, class: kind }: ReturnType<typeof locateHost>) => [where, host, kind].filter(Boolean).join(" ");

test.each([
  ["example.com", "outside example.com"],
  ["Example.COM.", "outside example.com"],
  ["me@example.com:2222", "outside example.com:2222"],
  ["example.com:/srv/x", "outside example.com"],
  ["example.com/path:80", "outside example.com"],
  ["10.0.0.1:8080", "outside 10.0.0.1:8080 private"],
  ["[2606:2800::1]:443", "outside [2606:2800::1]:443"],
  ["2606:2800::1", "outside 2606:2800::1"],
  ["localhost:3000", "outside localhost:3000 private"],
  ["127.1", "outside 127.1 private"],
  ["0x7f.1", "outside 0x7f.1 private"],
  ["169.254.169.254", "outside 169.254.169.254 metadata"],
  ["metadata.google.internal", "outside metadata.google.internal metadata"],
  ["169.254.169.2\uE00054", "outside 169.254.169.254 metadata"],
  ["\uE000.example.com", "not_known"],
  ["", "not_known"],
])("the host of %s", (value, expected) => expect(shown(locateHost({ value }, false))).toBe(expected));

test.each([
  ["https://example.com/x?y#z", "outside example.com"],
  ["http://example.com:80/x", "outside example.com"],
  ["https://example.com:8443", "outside example.com:8443"],
  ["ftp://example.com:21/", "outside example.com"],
  ["gopher://example.com:70/", "outside example.com:70"],
  ["example.com/x", "outside example.com"],
  ["localhost:3000/x", "outside localhost:3000 private"],
  ["http:\\\\10.0.0.1", "outside 10.0.0.1 private"],
  ["https://$x/".replace("$x", "\uE000"), "not_known"],
])("the host of the URL %s", (value, expected) => expect(shown(locateUrl({ value }, false))).toBe(expected));

test("localhost is inside the sandbox, because the sandbox has a loopback of its own", () => {
  expect(shown(locateHost({ value: "localhost:3000" }, true))).toBe("inside localhost:3000");
  expect(shown(locateUrl({ value: "http://[::1]:3000/" }, true))).toBe("inside [::1]:3000");
  expect(shown(locateUrl({ value: "http://10.0.0.1/" }, true))).toBe("outside 10.0.0.1 private");
});

test.each([
  [["registry.npmjs.org"], "registry.npmjs.org", true],
  [["registry.npmjs.org"], "registry.npmjs.org:443", true],
  [["registry.npmjs.org"], "registry.npmjs.org:8443", false],
  [["registry.npmjs.org:8443"], "registry.npmjs.org:8443", true],
  [["*.npmjs.org"], "registry.npmjs.org", true],
  [["*.npmjs.org"], "npmjs.org", false],
  [["*.npmjs.org"], "evilnpmjs.org", false],
  [["10.0.0.1:8080"], "10.0.0.1:8080", true],
  [["10.0.0.1:8080"], "10.0.0.1", false],
  [[], "registry.npmjs.org", false],
])("the allowed hosts %j cover %s: %s", (entries, host, covered) => {
  expect(compileAllowedHosts(entries).covers(host)).toBe(covered);
  expect(compileAllowedHosts(entries).isEmpty).toBe(entries.length === 0);
});
