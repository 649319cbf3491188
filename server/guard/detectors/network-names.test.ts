import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { callOf, mcpTool, policyOfRules, shellCall, shellTool } from "@/server/testing/guarded-calls";
import type { AskedCall } from "../asked-call";
import { decide } from "../decide";

const policy = policyOfRules([{ verdict: "allow" }]);
const idsOf = (call: AskedCall) => decide(policy, call, 0).findings.map(({ detector }) => detector);
const inMcp = (args: JsonObject, name = "notes__save_note") => idsOf(callOf({ ...mcpTool, name }, args));
const inWeb = (url: string) => idsOf(callOf({ ...shellTool, name: "url_fetch", needs: ["http"], primaryArgument: "url" }, { url }));

test.each(["http:127.0.0.1/", "HTTP:10.0.0.5", "https:me@localhost/x", "ws:[::1]:80/", "ftp:192.168.0.1", "http:0", "http:0x7f.1/"])(
  "a URL without slashes leads where one with them does: %s",
  (url) => {
    expect(inWeb(url)).toContain("network.private");
    expect(inMcp({ url })).toContain("network.private");
    expect(idsOf(shellCall(`curl ${url.replace(/[[\]]/g, "\\$&")}`))).toContain("network.private");
  },
);
test.each(["http://127.0.\n0.1/", "ht\ttp://127.0.0.1/", "http:\n//127.0.0.1/", "\nhttp:127.0.0.1"])(
  "signs that readers of URLs leave out hide nothing: %j",
  (url) => {
    expect(inWeb(url)).toContain("network.private");
    expect(inMcp({ target_url: url })).toContain("network.private");
  },
);
test.each(["http:169.254.169.254/latest", "http:metadata.google.internal/"])("nor is the metadata service hidden: %s", (url) => {
  expect(inWeb(url)).toContain("network.metadata");
});

test.each(["hosts", "host_names", "servers", "targetHosts", "ip-addresses", "dbHost", "remotes", "proxies", "upstream.host", "nameserver"])(
  "an argument that is called %s holds hosts",
  (name) => {
    expect(inMcp({ [name]: ["example.com", "10.0.0.5"] })).toEqual(["network.private"]);
    expect(inMcp({ [name]: ["169.254.169.254"] })).toEqual(["network.metadata"]);
  },
);
test("the metadata service is seen in any argument that is nothing else", () => {
  expect(inMcp({ to: "169.254.169.254" })).toEqual(["network.metadata"]);
  expect(inMcp({ list: [{ of: "metadata.google.internal" }] })).toEqual(["network.metadata"]);
  expect(inMcp({ title: "metadata" })).toEqual([]);
  expect(inMcp({ version: "10.0.0.1" })).toEqual([]);
});

test.each<JsonObject>([
  { port: "http:8080" },
  { ports: ["https:443", "http:80"] },
  { text: "Use http: or https: before it" },
  { text: "The server is at http:example.com" },
  { email_address: "me@mail.local" },
  { zip: "10.0.0.1" },
  { relationship: "home" },
  { url: "https://example.com/a\nb" },
])("what is ordinary stays so: %j", (args) => {
  expect(inMcp(args)).toEqual([]);
});
test("more hosts than are looked at are worth a question, and the metadata service is seen among them", () => {
  const hosts = Array.from({ length: 301 }, () => "example.com");
  expect(inMcp({ hosts: hosts.slice(1) })).toEqual([]);
  expect(inMcp({ hosts })).toEqual(["network.private"]);
  expect(inMcp({ hosts: [...hosts, "169.254.169.254"] })).toContain("network.metadata");
});
test("a port's name is no URL for a command", () => {
  expect(idsOf(shellCall("kubectl port-forward svc/web http:8080"))).not.toContain("network.private");
});

test.each([
  "http://127-0-0-1.local-ip.sh",
  "https://x.10.0.0.1.plex.direct",
  "http://app-127-0-0-1.example.com",
  "http://192.168.1.1.c.cx/a",
  "http://192-168-100-200.example.com",
  "http://10-0-0-255.example.com",
  "http://localtest.me/",
])("a name with an inner address in it may lead there: %s", (url) => {
  expect(inWeb(url)).toEqual(["network.rebinding"]);
});
test.each([
  "http://db/x",
  "http://wpad",
  "ws://db/x",
  "https://kubernetes.default.svc/api",
  "http://consul.service.consul",
  "http://127.0.0.1%00.example.com",
])("a name that only a network of its own knows is private: %s", (url) => {
  expect(inWeb(url)).toEqual(["network.private"]);
  expect(inMcp({ url })).toEqual(["network.private"]);
});
test.each([
  "https://ec2-52-1-2-3.compute-1.amazonaws.com",
  "https://8-8-8-8.example.com",
  "https://example.com/1.10.0.0.1/x",
  "https://v1-10-0-0.example.com",
  "https://1.10.0.0.1.example.com",
  "https://300-10-0-1.example.com",
])("an address of the public internet in a name is none: %s", (url) => {
  expect(inWeb(url)).toEqual([]);
});
