import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { examples, words } from "@/server/testing/guard/examples";
import { buildRequest, mcpTool, policyOfRules, readTool, shellCall, shellTool } from "@/server/testing/guard/guarded-calls";
import { analyzeCall } from "../call/analyzed-call";
import type { GuardRequest } from "../call/guard-request";
import { decide } from "../decide";
import { noAllowedHosts } from "../hosts/allowed-hosts";
import { noSensitivePaths } from "../paths/sensitive-globs";
import { networkDetectors } from "./network";

const policy = policyOfRules([{ verdict: "allow" }]);
const foundIn = (call: GuardRequest) => decide(policy, call, 0).findings.filter(({ detector }) => /^network\.(?!connect)/.test(detector));
const idsOf = (call: GuardRequest) => foundIn(call).map(({ detector }) => detector);
const inMcp = (args: JsonObject, name = "notes__save_note") => idsOf(buildRequest({ ...mcpTool, name }, args));
const inWeb = (args: JsonObject) => idsOf(buildRequest({ ...shellTool, name: "url_fetch", needs: ["http"], primaryArgument: "url" }, args));
const inShell = (command: string) => idsOf(shellCall(command));

const inside = ["network.private"];
const metadata = ["network.metadata"];

test.each(examples`
  metadata.google.internal ¦ metadata.goog ¦ instance-data.ec2.internal ¦ 169.254.169.254 ¦ 169.254.170.2 ¦ 169.254.170.23 ¦ 168.63.129.16
  100.100.100.200 ¦ 192.0.0.192 ¦ fd00:ec2::254 ¦ fd00:ec2::23 ¦ fd20:ce::254
`)("%s is where a cloud keeps credentials, in whatever argument", (host) => {
  expect(inMcp({ anything: host })).toEqual(metadata);
  expect(inMcp({ url: `http://${host.includes(":") ? `[${host}]` : host}/x` })).toEqual(metadata);
  expect(inMcp({ text: `Look at http://${host.includes(":") ? `[${host}]` : host}/x first` })).toEqual(metadata);
});

test.each(["metadata", "instance-data"])("%s is one only where a host stands", (host) => {
  expect(inMcp({ host })).toEqual(metadata);
  expect(inMcp({ title: host })).toEqual([]);
});

test.each(examples`
  0xa9.0xfe.0xa9.0xfe ¦ 169.254.43518 ¦ [::ffff:169.254.169.254] ¦ [64:ff9b::a9fe:a9fe] ¦ [2002:a9fe:a9fe::1] ¦ [::a9fe:a9fe]
  [fd00:ec2::254%25eth0] ¦ [fd00:ec2:0::254%eth0] ¦ 169.254.169.254... ¦ 169%2e254.169.254 ¦ 169。254｡169.254 ¦ METADATA.google.internal.
`)("the metadata service is seen in any spelling: %s", (host) => expect(inMcp({ url: `http://${host}/` })).toEqual(metadata));

test.each(examples`
  [64:ff9b::808:808] ¦ [2002:808:808::1] ¦ [::808:808] ¦ [::ffff:8.8.8.8] ¦ 192.0.2.1 ¦ [2001:db8::1] ¦ a%zz ¦ x.10.0.0.5
`)("what leads to the public internet is ordinary: %s", (host) => expect(inMcp({ url: `http://${host}/` })).toEqual([]));

test.each(examples`
  [::1] ¦ [::] ¦ [fe80::1] ¦ [fc00::1] ¦ [64:ff9b::a00:1] ¦ [2002:a00:1::] ¦ [::a00:1] ¦ [::ffff:0:10.0.0.1]
`)("an address of version 6 that stays inside is seen: %s", (host) => expect(inMcp({ url: `http://${host}/` })).toEqual(inside));

test.each(words`
  host hosts host_name hostname hostNames addr addrs address addresses ip ips serverIp server servers nameserver name_servers domain
  domains endpoint endpoints gateway gateways proxy proxies remote remotes base_url baseUrls baseurl target-host target.host TargetHost
`)("an argument that is called %s holds a host", (name) => expect(inMcp({ [name]: "10.0.0.5" })).toEqual(inside));

test.each(words`
  hostile ipsum serverless domain_x proximity ghost title email_server mailhost
`)("one that is called %s does not", (name) => expect(inMcp({ [name]: "10.0.0.5" })).toEqual([]));

test("a name of 40 letters is still one, and a longer one is a text", () => {
  expect(inMcp({ [`${"x".repeat(36)}_host`]: "10.0.0.5" })).toEqual([]);
  expect(inMcp({ [`${"x".repeat(35)}_host`]: "10.0.0.5" })).toEqual(inside);
});

describe("a host without a URL", () => {
  test.each([
    "10.0.0.5",
    "10.0.0.5:8080",
    "10.0.0.5/x",
    "10.0.0.5?x",
    "10.0.0.5#x",
    "10.0.0.5:80?x",
    "10.0.0.5\\x",
    "me@10.0.0.5",
    "me:word@10.0.0.5:80/x",
    "a@b@10.0.0.5",
    "@10.0.0.5",
    "example.com:80@10.0.0.5",
    "10%2e0.0.5",
    "１０.0.0.5",
    "[::1]:80/x",
    "::1",
    "localhost",
    "LOCALHOST:3000",
    `10.0.0.5/${"a".repeat(3_000)}`,
    `10.0.0.5?${"a".repeat(300)}`,
    "10.0.0.5?x=https://example.com",
    "fe80::1%eth0",
  ])("is found for what connects: %s", (host) => {
    expect(inShell(`curl '${host}'`)).toEqual(inside);
    expect(inMcp({ url: host })).toEqual(inside);
    expect(inMcp({ uri: host })).toEqual(inside);
    expect(inMcp({ host })).toEqual(inside);
    expect(inWeb({ anything: ` ${host}`.trim() })).toEqual(inside);
  });

  test.each(["169.254.169.254?x", `169.254.169.254/latest?${"a".repeat(400)}`, "x:y@169.254.169.254", "metadata.google.internal#x"])(
    "is denied where it is the metadata service: %s",
    (host) => {
      expect(inShell(`curl '${host}'`)).toEqual(metadata);
    },
  );

  test.each(["a home", "-10.0.0.5", "example.com", "10.0.0.5,x y", "b:c:10.0.0.5", "-x.localhost"])("is none in %s", (word) => {
    expect(inMcp({ url: word })).toEqual([]);
  });

  test.each(words`
    curl wget nc ncat netcat telnet ssh sftp ftp ping http https xh nmap dig nslookup host aria2c
  `)("is what %s connects to", (name) => expect(inShell(`${name} 10.0.0.5`)).toEqual(inside));

  test.each(examples`
    scp 10.0.0.5:x y ¦ socat - TCP:10.0.0.5:80 ¦ openssl s_client -connect 10.0.0.5:443 ¦ rsync -a 10.0.0.5:x y
  `)("stands where the program takes one: %s", (command) => expect(inShell(command)).toEqual(inside));

  test.each(examples`
    curl -m 10 https://example.com ¦ ping -c 3 example.com ¦ nc -w 5 example.com 80 ¦ ssh -p 22 example.com ¦ scp 10.0.0.5 x
  `)("is no number behind an option, and no file: %s", (command) => expect(inShell(command)).toEqual([]));

  test("is a mere text for everything else", () => {
    expect(inShell("make 10.0.0.5")).toEqual([]);
    expect(inMcp({ urls_x: "10.0.0.5", xurl: "10.0.0.5", version: "10.0.0.5" })).toEqual([]);
  });

  test.each(examples`
    --resolve example.com:80:169.254.169.254 ¦ --resolve=example.com:80:169.254.169.254 ¦ --resolve 'example.com:80:[fd00:ec2::254]'
    --connect-to ::169.254.169.254:80 ¦ --connect-to example.com:80:metadata.google.internal:80 ¦ --connect-to ::2852039166:80
    -x 169.254.169.254:80 ¦ -x169.254.169.254:80 ¦ --proxy me:word@169.254.169.254 ¦ --socks5 169.254.169.254 ¦ --proxy=169.254.169.254:80
    --preproxy=169.254.169.254:80 ¦ --socks4=169.254.169.254 ¦ --socks4a=169.254.169.254 ¦ --socks5=169.254.169.254
    --socks5-hostname=169.254.169.254
  `)("is found where curl is led to it: %s", (option) => expect(inShell(`curl ${option} https://example.com/x`)).toEqual(metadata));

  test("is none in a port, nor in what is only sent", () => {
    expect(inShell("curl --resolve example.com:443:93.184.216.34 https://example.com")).toEqual([]);
    expect(inShell("curl --resolve example.com:65535:93.184.216.34 https://example.com")).toEqual([]);
    expect(inShell("curl -d a=10.0.0.5 https://example.com")).toEqual([]);
    expect(inShell("tar -x 10.0.0.5")).toEqual([]);
  });

  test("may have blanks around it, and stands in no brackets of something else", () => {
    expect(inMcp({ host: " 10.0.0.5 " })).toEqual(inside);
    expect(inMcp({ host: "x[::1]" })).toEqual([]);
  });
});

describe("a private address that an admin allowed", () => {
  const allowing = (entry: string, call: GuardRequest) =>
    decide(policyOfRules([{ verdict: "allow" }], { allowedHosts: [entry] }), call, 0).findings.map(({ detector }) => detector);

  test.each([
    ["10.0.0.5:8080", "http://10.0.0.5:8080/x"],
    ["10.0.0.5:80", "http://10.0.0.5/x"],
    ["10.0.0.5:443", "https://10.0.0.5/x"],
    ["db.internal:5432", "postgres://db.internal:5432/x"],
  ])("with its port, %s, is no finding in %s", (entry, url) => {
    expect(allowing(entry, buildRequest(mcpTool, { url }))).toEqual([]);
    expect(allowing(entry, shellCall(`curl ${url}`))).not.toContain("network.private");
  });

  test.each([
    ["10.0.0.5:8080", "http://10.0.0.5:8081/x"],
    ["10.0.0.5:8080", "http://10.0.0.5/x"],
    ["10.0.0.5:8080", "http://10.0.0.5:8080\\@10.0.0.6/x"],
    ["10.0.0.5:8080", "http://me@10.0.0.5:8080/x"],
    ["10.0.0.5:8080", "10.0.0.5"],
  ])("as %s is still one in %s", (entry, url) => expect(allowing(entry, buildRequest(mcpTool, { url }))).toContain("network.private"));

  test("is denied for our own requests where nobody can be asked, asked about elsewhere, and the metadata service is denied always", () => {
    const url = "http://10.0.0.5:8080/";
    const own = buildRequest({ ...mcpTool, needs: ["http"] }, { url });
    expect(decide(policy, { ...own, context: { interactive: false } }, 0).verdict).toBe("deny");
    expect(decide(policy, own, 0).verdict).toBe("require_approval");
    expect(decide(policy, buildRequest(mcpTool, { url }), 0).verdict).toBe("require_approval");
    expect(allowing("169.254.169.254:80", buildRequest(mcpTool, { url: "http://169.254.169.254/" }))).toContain("network.metadata");
  });

  test("is no finding where it is the sandbox's own loopback", () => {
    const boxed = (command: string): GuardRequest => ({ ...shellCall(command), context: { interactive: true, sandboxed: true } });
    for (const command of ["curl http://localhost:3000/", "curl 127.0.0.1:3000", "nc ::1 80"]) expect(idsOf(boxed(command))).toEqual([]);
    expect(idsOf(boxed("curl http://10.0.0.5/"))).toEqual(inside);
  });
});

describe("a URL", () => {
  test.each(words`
    echo printf grep egrep fgrep zgrep rgrep rg ag sed awk gawk mawk nawk find cat head tail less
  `)("is only a text for %s", (name) => expect(inShell(`${name} http://127.0.0.1/`)).toEqual([]));

  test("is meant where the call reaches out, and only mentioned in other prose", () => {
    const text = "See http://127.0.0.1/ for more";
    expect(inWeb({ note: text })).toEqual(inside);
    expect(inMcp({ command: "ls", note: text }, "sandbox__bash")).toEqual(inside);
    expect(idsOf(buildRequest(shellTool, { command: "ls", note: "http://127.0.0.1/" }))).toEqual(inside);
    expect(inMcp({ note: text })).toEqual([]);
    expect(inMcp({ note: " http://127.0.0.1/ " })).toEqual(inside);
    expect(idsOf(buildRequest(readTool, { path: "a", note: "http://127.0.0.1/" }))).toEqual([]);
  });

  test.each<[JsonObject, string[]]>([
    [{ url: "http:\n//127.0.0.1/" }, inside],
    [{ target_urls: "http:\n//127.0.0.1/" }, inside],
    [{ uri: " http:\r//127.0.0.1/ " }, inside],
    [{ url: "http:\n//127.0.0.1/ or so" }, []],
    [{ urlx: "http:\n//127.0.0.1/" }, []],
    [{ note: "http:\n//127.0.0.1/" }, []],
  ])("may be broken over lines where nothing else stands beside it: %j", (args, ids) => expect(inMcp(args)).toEqual(ids));

  test("of what reaches the network is broken over lines under any name", () => {
    expect(inWeb({ anything: "http:\n//10.0.0.5/" })).toEqual(inside);
  });

  test.each(["file:///x", "data://10.0.0.5/x", "file://localhost/x"])("of the kind %s names no host", (url) => {
    expect(inMcp({ url })).toEqual(["network.scheme"]);
  });

  test.each(words`
    gopher dict ftp ftps tftp sftp scp ldap ldaps smb jar netdoc php phar expect view-source imap pop3 rtsp telnet unix nfs rsync
  `)("of the kind %s: is found, and so is its host", (scheme) => {
    expect(inMcp({ url: `${scheme}://example.com/x` })).toEqual(["network.scheme"]);
    expect(inMcp({ url: `${scheme}://10.0.0.5/x` })).toEqual(["network.private", "network.scheme"]);
  });

  test.each(examples`
    profile://a ¦ filex://a ¦ https://a.nip.io.example.com/ ¦ https://xnip.io/ ¦ xhttp://db/ ¦ httpx://db/
  `)("%s is ordinary", (url) => expect(inMcp({ url })).toEqual([]));

  test.each([
    ["http://example.com@10.0.0.5/", ["network.private", "network.userinfo"]],
    ["http://a.b:c@example.com/", ["network.userinfo"]],
    ["http://me:a.b@example.com/", []],
    ["http://.@example.com/", ["network.userinfo"]],
    ["http://@example.com/", []],
    ["http://me@10.0.0.5@example.com/", ["network.private", "network.userinfo"]],
    ["http://me@169.254.169.254@example.com/", ["network.metadata", "network.userinfo"]],
    ["http://10.0.0.5@example.com/", ["network.userinfo"]],
    ["http://example.com\\@10.0.0.5/", ["network.private"]],
    ["http://10.0.0.5\\@example.com/", ["network.private"]],
    ["http://example.com/@10.0.0.5", []],
    ["http://example.com/\\@10.0.0.5", []],
    ["http://example.com?x@10.0.0.5", []],
  ])("%s leads to where the name before the @ is not: %j", (url, ids) => expect(inMcp({ url })).toEqual(ids));

  test("that is too long, or one of too many, is worth a question", () => {
    const urls = (count: number) => Array.from({ length: count }, (_, index) => `http://example.com/${index}`).join("\n");
    expect(inWeb({ text: urls(100) })).toEqual([]);
    expect(inWeb({ text: urls(101) })).toEqual(inside);
    expect(foundIn(buildRequest({ ...mcpTool, needs: ["http"] }, { text: urls(101) }))[0]?.message).toBe(
      "An argument has more than 100 URLs.",
    );
    expect(inMcp({ url: `http://${"a".repeat(2_047)}` })).toEqual([]);
    expect(foundIn(buildRequest(mcpTool, { url: `http://${"a".repeat(2_048)}` }))[0]?.message).toBe(
      "An argument has a URL whose host is too long to be one.",
    );
    expect(inMcp({ url: `http://example.com/${"a".repeat(2_048)}` })).toEqual([]);
  });

  test("is told once, and how many more there are", () => {
    const [found, ...others] = foundIn(buildRequest(mcpTool, { urls: ["http://10.0.0.5/", "http://localhost/"] }));
    expect(found?.message).toBe("`http://10.0.0.5/` leads to 10.0.0.5, which is no address of the public internet (private) (2×).");
    expect(others).toEqual([]);
    const twice = foundIn(buildRequest({ ...mcpTool, needs: ["http"] }, { text: "http://10.0.0.5/ http://10.0.0.5/" }));
    expect(twice[0]?.message).toMatch(/\(private\)\.$/);
    for (const [url, said] of [
      ["http://localhost/", "is a name inside a network or of this machine."],
      ["http://db/x", "is a name without a domain, which only a network of its own knows."],
      ["http://[::1]/", "leads to ::1, which is no address of the public internet (loopback)."],
    ] as const)
      expect(foundIn(buildRequest(mcpTool, { url }))[0]?.message).toBe(`\`${url}\` ${said}`);
  });
});

test("more hosts than are looked at are told as such", () => {
  const hosts = Array.from({ length: 301 }, () => "example.com");
  for (const last of ["example.com", "10.0.0.5"])
    expect(foundIn(buildRequest(mcpTool, { hosts: [...hosts.slice(1), last] }))[0]?.message).toBe("The call names more than 300 hosts.");
  expect(inMcp({ hosts: [...hosts.slice(2), "10.0.0.5"] })).toEqual(inside);
  expect(inMcp({ hosts: [...hosts, "169.254.169.254"] })).toContain("network.metadata");
});

test("a call in which nothing is wrong is looked at by none of them", () => {
  const ordinary = analyzeCall(buildRequest(mcpTool, { url: "https://example.com/" }));
  for (const { mayFind, find } of networkDetectors) {
    expect(mayFind?.(ordinary)).toBe(false);
    expect(find(ordinary, { sensitivePaths: noSensitivePaths, allowedHosts: noAllowedHosts })).toEqual([]);
  }
});

test.each(examples`
  http:127.0.0.1/ ¦ HTTP:10.0.0.5 ¦ https:me@localhost/x ¦ ws:[::1]:80/ ¦ ftp:192.168.0.1 ¦ http:0 ¦ http:0x7f.1/
`)("a URL without slashes leads where one with them does: %s", (url) => {
  expect(inWeb({ url })).toContain("network.private");
  expect(inMcp({ url })).toContain("network.private");
  expect(inShell(`curl ${url.replace(/[[\]]/g, "\\$&")}`)).toContain("network.private");
});
test.each(["http://127.0.\n0.1/", "ht\ttp://127.0.0.1/", "http:\n//127.0.0.1/", "\nhttp:127.0.0.1"])(
  "signs that readers of URLs leave out hide nothing: %j",
  (url) => {
    expect(inWeb({ url })).toContain("network.private");
    expect(inMcp({ target_url: url })).toContain("network.private");
  },
);
test.each(["http:169.254.169.254/latest", "http:metadata.google.internal/"])("nor is the metadata service hidden: %s", (url) => {
  expect(inWeb({ url })).toContain("network.metadata");
});

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
])("what is ordinary stays so: %j", (args) => expect(inMcp(args)).toEqual([]));
test.each<JsonObject>([
  { url: "postgres://db.example.com,10.0.0.9/shop" },
  { uri: "mongodb://a.example.com:27017,10.0.0.9:27017,b.example.com/shop" },
  { hosts: "kafka.example.com:9092,10.0.0.9:9092" },
])("each of several hosts counts: %j", (args) => expect(inMcp(args)).toEqual(inside));
test("a port's name is no URL for a command", () => {
  expect(idsOf(shellCall("kubectl port-forward svc/web http:8080"))).not.toContain("network.private");
});

test.each(examples`
  http://127-0-0-1.local-ip.sh ¦ https://x.10.0.0.1.plex.direct ¦ http://app-127-0-0-1.example.com ¦ http://192.168.1.1.c.cx/a
  http://192-168-100-200.example.com ¦ http://10-0-0-255.example.com ¦ http://localtest.me/
`)("a name with an inner address in it may lead there: %s", (url) => expect(inWeb({ url })).toEqual(["network.rebinding"]));
test.each(examples`
  http://db/x ¦ http://wpad ¦ ws://db/x ¦ https://kubernetes.default.svc/api ¦ http://consul.service.consul
  http://127.0.0.1%00.example.com
`)("a name that only a network of its own knows is private: %s", (url) => {
  expect(inWeb({ url })).toEqual(["network.private"]);
  expect(inMcp({ url })).toEqual(["network.private"]);
});
test.each(examples`
  https://ec2-52-1-2-3.compute-1.amazonaws.com ¦ https://8-8-8-8.example.com ¦ https://example.com/1.10.0.0.1/x
  https://v1-10-0-0.example.com ¦ https://1.10.0.0.1.example.com ¦ https://300-10-0-1.example.com
`)("an address of the public internet in a name is none: %s", (url) => expect(inWeb({ url })).toEqual([]));

describe("a host and port that an admin lets a tool's MCP server reach", () => {
  const sourceHosts = ["localhost:5432", "10.0.0.5:6379", "db.internal:27017"];
  const inServer = (args: JsonObject) => idsOf(buildRequest({ ...mcpTool, sourceHosts }, args));

  test.each<JsonObject>([
    { url: "postgres://localhost:5432/shop" },
    { url: "postgres://ada:word@127.0.0.1:5432/shop" },
    { uri: "redis://10.0.0.5:6379" },
    { url: "postgres://localhost/shop" },
    { dsn: "postgresql+asyncpg://ada:word@127.0.0.1/shop" },
    { uri: "redis://10.0.0.5/0" },
    { uri: "mongodb://db.internal/shop" },
    { url: "postgres://localhost,localhost:5432/shop" },
    { hosts: "10.0.0.5:6379,localhost:5432" },
    { host: "DB.internal:27017" },
    { host: "localhost", port: 5432 },
    { server: "10.0.0.5", db_port: "6379" },
    {
      databases: [
        { host: "localhost", port: 5432 },
        { host: "10.0.0.5", port: 6379 },
      ],
    },
  ])("is not asked about: %j", (args) => {
    expect(inServer(args)).toEqual([]);
    expect(inMcp(args), "for another server it is").toEqual(inside);
  });

  test.each<JsonObject>([
    { url: "postgres://localhost:5433/shop" },
    { url: "postgres://ada:word@x@localhost:5432/shop" },
    { url: "redis://10.0.0.6:6379" },
    { url: "redis://localhost/0" },
    { url: "mongodb+srv://db.internal/shop" },
    { url: "postgres://localhost,10.0.0.9/shop" },
    { url: "mongodb://me:word@db.internal:27017,10.0.0.9:27017/shop" },
    { hosts: "10.0.0.5:6379, 10.0.0.9:6379" },
    { url: "http://10.0.0.5" },
    { host: "localhost" },
    { host: "localhost", port: 22 },
    { host: "localhost", port: 5432, ssh_port: 22 },
    { from: { host: "localhost", port: 5432 }, to: { host: "localhost" } },
    { host: "localhost", transport: 5432 },
    { url: "postgres://localhost:5432/shop", host: "10.0.0.9" },
  ])("allows no other: %j", (args) => expect(inServer(args)).toContain("network.private"));

  test("never covers the metadata service", () => {
    const request = buildRequest({ ...mcpTool, sourceHosts: ["169.254.169.254:80"] }, { url: "http://169.254.169.254/latest" });
    expect(idsOf(request)).toEqual(metadata);
  });
});
