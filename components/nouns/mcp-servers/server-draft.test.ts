import { expect, test } from "vitest";
import { type McpServer, McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { emptyFields, keyValue, toServerDraft, toServerFields } from "./server-draft";

const server: McpServer = {
  id: "01890000-0000-7000-8000-000000000000",
  alias: "files",
  transport: "stdio",
  command: "node",
  args: ["-y", "a server", "/data/my folder"],
  env: { TOKEN: "gh***", HOME: "$env:HOME" },
  cwd: null,
  network: "hosts",
  allowedHosts: ["api.example.com", "10.0.0.5:8080"],
  readablePaths: ["~/.npmrc"],
  outsideSandbox: false,
  unconfined: null,
  url: null,
  headers: {},
  enabled: true,
  tier: "extension",
  tierPerTool: true,
  allowedTools: ["read_file"],
  excludedTools: ["write_file"],
  trustHints: true,
  allowSampling: true,
  questions: "console_only",
  offerContents: false,
  expectedTools: ["read_file", "write_file"],
  expectedVersion: "1.2.3",
  packageDigest: `sha256:${"0".repeat(64)}`,
  connectTimeoutSeconds: 90,
  callTimeoutSeconds: 60,
  parallelCalls: true,
  sessionScope: "per_user",
  sessionIdleSeconds: 300,
  personalSignIn: false,
  listedWith: null,
  status: "connected",
  authorization: null,
  lastError: null,
  lastStderr: null,
  cures: [],
  lastEnding: null,
  lastConnectedAt: null,
  serverInfo: null,
  instructions: null,
  toolCount: 1,
  toolNotes: [],
  version: 3,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};

test("a server's settings survive the way through the form, masked secrets included", () => {
  const draft = toServerDraft(toServerFields(server));
  expect(draft).toMatchObject({ args: server.args, env: server.env, allowedTools: ["read_file"], url: null, headers: {} });
  const { trustHints, expectedTools, expectedVersion, packageDigest } = server;
  expect(draft).toMatchObject({ trustHints, expectedTools, expectedVersion, packageDigest });
  expect(draft).toMatchObject({ sessionScope: "per_user", sessionIdleSeconds: 300 });
  expect(McpServerDraft.safeParse(draft).success).toBe(true);
});

test("settings of the transport that was not chosen are not sent", () => {
  const draft = toServerDraft({
    ...emptyFields,
    alias: "remote",
    transport: "streamable_http",
    command: "node",
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
  expect(toServerDraft({ ...emptyFields, command: "npx", args: "-y\r\n/data/my folder\n\n" }).args).toEqual(["-y", "/data/my folder"]);
});

test("arguments with line breaks, empty ones and ones in quotes survive the way through the form", () => {
  const args = ["-c", "echo a\necho b", "", '"quoted"', 'say "hi"', "  spaces  "];
  expect(toServerDraft(toServerFields({ ...server, args })).args).toEqual(args);
});

test("no tool and all tools are two different things in the form", () => {
  expect(toServerDraft(toServerFields({ ...server, allowedTools: [] })).allowedTools).toEqual([]);
  expect(toServerDraft(toServerFields({ ...server, allowedTools: null })).allowedTools).toBeNull();
});

test("a browser is suggested a session per conversation, and a choice of the person stays", () => {
  const browser = { ...emptyFields, alias: "web", command: "npx", args: "-y\n@playwright/mcp@latest" };
  expect(toServerDraft(browser).sessionScope).toBe("per_conversation");
  expect(toServerDraft({ ...browser, sessionScope: "shared" }).sessionScope).toBe("shared");
  expect(toServerDraft({ ...browser, args: "-y\n@modelcontextprotocol/server-postgres" }).sessionScope).toBe("shared");
});
