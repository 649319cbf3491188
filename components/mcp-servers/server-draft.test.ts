import { expect, test } from "vitest";
import { type McpServer, McpServerDraft } from "@/contracts/mcp-servers";
import { readPastedConfig } from "./read-pasted-config";
import { draftOf, draftOfServer, emptyFields, keyValue } from "./server-draft";

const server: McpServer = {
  id: "01890000-0000-7000-8000-000000000000",
  alias: "files",
  transport: "stdio",
  command: "npx",
  args: ["-y", "a server", "/data/my folder"],
  env: { TOKEN: "gh***", HOME: "$env:HOME" },
  cwd: null,
  url: null,
  headers: {},
  enabled: true,
  tier: "extension",
  allowedTools: ["read_file"],
  connectTimeoutSeconds: 90,
  callTimeoutSeconds: 60,
  status: "connected",
  lastError: null,
  lastStderr: null,
  lastConnectedAt: null,
  serverInfo: null,
  toolCount: 1,
  version: 3,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};

test("a server's settings survive the way through the form, masked secrets included", () => {
  const draft = draftOfServer(server);
  expect(draft).toMatchObject({ args: server.args, env: server.env, allowedTools: ["read_file"], url: null, headers: {} });
  expect(McpServerDraft.safeParse(draft).success).toBe(true);
});

test("settings of the transport that was not chosen are not sent", () => {
  const draft = draftOf({
    ...emptyFields,
    alias: "remote",
    transport: "streamable_http",
    command: "npx",
    args: "-y",
    env: [keyValue("TOKEN", "x")],
    url: " https://example.com/mcp ",
    headers: [keyValue("Authorization", "Bearer $env:TOKEN"), keyValue()],
  });
  expect(draft).toMatchObject({
    command: null,
    args: [],
    env: {},
    url: "https://example.com/mcp",
    headers: { Authorization: "Bearer $env:TOKEN" },
    allowedTools: null,
  });
});

test("an argument is a line: spaces belong to it, empty lines and carriage returns do not", () => {
  expect(draftOf({ ...emptyFields, command: "npx", args: "-y\r\n/data/my folder\n\n" }).args).toEqual(["-y", "/data/my folder"]);
});

test("the configuration of another program can be pasted", () => {
  const pasted = readPastedConfig(
    JSON.stringify({ mcpServers: { "My Files!": { command: "npx", args: ["-y", "server"], env: { A: "1" } }, second: { command: "x" } } }),
  );
  expect(draftOf(pasted)).toMatchObject({ alias: "my-files", transport: "stdio", command: "npx", args: ["-y", "server"], env: { A: "1" } });
});

test.each([
  [{ mcpServers: { a: { url: "https://example.com/mcp" } } }, "streamable_http"],
  [{ servers: { a: { type: "sse", url: "https://example.com/sse" } } }, "sse"],
  [{ a: { command: "node" } }, "stdio"],
  [{ command: "node" }, "stdio"],
])("%j is understood", (config, transport) => {
  expect(readPastedConfig(JSON.stringify(config)).transport).toBe(transport);
});

test.each(["{", "[]", "{}", '"npx"', '{"mcpServers":{}}', '{"a":{"args":[1]}}'])("%s is refused with a sentence", (text) => {
  expect(() => readPastedConfig(text)).toThrow(/JSON|No server/);
});
