import { expect, test } from "vitest";
import type { ExportedServer } from "./exported-server";
import { readConfig } from "./read-config";
import { writeConfig } from "./write-config";

const base = { env: {}, cwd: null, url: null, headers: {}, enabled: true, allowedTools: null, callTimeoutSeconds: 60, version: null };
const program = (alias: string, command: string, args: string[], rest: Partial<ExportedServer> = {}): ExportedServer => ({
  ...base,
  alias,
  transport: "stdio",
  command,
  args,
  ...rest,
});
const remote = (alias: string, url: string, rest: Partial<ExportedServer> = {}): ExportedServer => ({
  ...base,
  alias,
  transport: "streamable_http",
  command: null,
  args: [],
  url,
  ...rest,
});
const listOf = (...servers: ExportedServer[]) => writeConfig("registry", servers) as { servers: { server: object }[]; metadata: object };

test("a package and a remote server become a server.json each, and no secret is written", () => {
  const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  const exported = listOf(
    program("weather", "npx", ["-y", "@acme/mcp@1.2.0", "--port", "80", "--token", token], { env: { API_KEY: "s3cr3tvalue99" } }),
    remote("docs", "https://example.com/mcp?key=an0therSecret", { headers: { "X-Key": "third-secret" }, version: "2.1.0" }),
  );
  const input = { isRequired: true, isSecret: true };
  expect(exported.servers.map(({ server }) => server)).toMatchObject([
    {
      $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      name: "com.example/weather",
      description: "MCP server weather, as Handrail connects it",
      version: "1.2.0",
      packages: [
        {
          registryType: "npm",
          identifier: "@acme/mcp",
          version: "1.2.0",
          transport: { type: "stdio" },
          environmentVariables: [{ name: "API_KEY", ...input }],
          packageArguments: [
            { type: "positional", value: "--port" },
            { type: "positional", value: "80" },
            { type: "positional", value: "--token" },
            { type: "positional", valueHint: "argument_4", ...input },
          ],
        },
      ],
    },
    {
      name: "com.example/docs",
      version: "2.1.0",
      remotes: [
        { type: "streamable-http", url: "https://example.com/mcp?key={key}", variables: { key: input }, headers: [{ name: "X-Key" }] },
      ],
    },
  ]);
  expect(exported.metadata).toEqual({ count: 2 });
  for (const secret of [token, "s3cr3tvalue99", "an0therSecret", "third-secret"]) expect(JSON.stringify(exported)).not.toContain(secret);
  const [weather, docs] = readConfig(JSON.stringify(exported));
  expect(weather?.settings).toMatchObject({
    alias: "weather",
    command: "npx",
    args: ["-y", "@acme/mcp@1.2.0", "--port", "80", "--token", ""],
  });
  expect(weather?.missing).toEqual(["env.API_KEY", "args.5"]);
  expect(docs?.missing).toEqual(["url", "headers.X-Key"]);
  expect(docs?.notes).toContain("Type the address: {key} in it stands for a value of yours.");
});

test.each([
  ["npx", ["-y", "@playwright/mcp@latest"], { registryType: "npm", identifier: "@playwright/mcp" }],
  [
    "/usr/bin/uvx",
    ["mcp-server-git==2026.1.2", "--repository", "/srv"],
    { registryType: "pypi", identifier: "mcp-server-git", version: "2026.1.2" },
  ],
  ["C:\\nodejs\\npx.cmd", ["pkg"], { registryType: "npm", identifier: "pkg" }],
  [
    "docker",
    ["run", "-i", "--rm", "-e", "TOKEN", "ghcr.io/acme/mcp:1.0", "stdio"],
    { registryType: "oci", identifier: "ghcr.io/acme/mcp:1.0" },
  ],
])("the program %s %j is a package of a registry", (command, args, expected) => {
  expect(listOf(program("one", command, args)).servers).toMatchObject([{ server: { packages: [expected] } }]);
});

test.each([
  ["node", ["server.js"]],
  ["npx", ["-p", "pkg", "bin"]],
  ["npx", []],
  ["uvx", ["--from", "git+https://example.com/x", "x"]],
  ["docker", ["run", "-v", "/etc:/etc", "image"]],
  ["docker", ["compose", "up"]],
])("the program %s %j has no server.json, and is named with the reason", (command, args) => {
  const { servers, metadata } = listOf(program("local", command, args));
  expect(servers).toEqual([]);
  const reason = "Its program comes from no registry: start it with npx, uvx or docker run, and name a package.";
  expect(metadata).toEqual({ count: 0, leftOut: [{ server: "local", reason }] });
});

test("a secret in an address's path is never written: the server is left out", () => {
  const { servers, metadata } = listOf(remote("hidden", "https://example.com/ghp_0123456789abcdefghijABCDEFGHIJ012345/mcp"));
  expect(servers).toEqual([]);
  expect(metadata).toMatchObject({ leftOut: [{ server: "hidden", reason: expect.stringContaining("holds a secret outside its query") }] });
});

test("a container of a server.json gets the variables that its description names", () => {
  const environmentVariables = [{ name: "TOKEN", isSecret: true, isRequired: true }];
  const image = { registryType: "oci", identifier: "ghcr.io/acme/mcp:1.0", environmentVariables };
  const [server] = readConfig(JSON.stringify({ servers: [{ server: { name: "io.github.acme/one", packages: [image] } }], metadata: {} }));
  expect(server?.settings.args).toEqual(["run", "-i", "--rm", "-e", "TOKEN", "ghcr.io/acme/mcp:1.0"]);
  expect(server?.missing).toEqual(["env.TOKEN"]);
});
