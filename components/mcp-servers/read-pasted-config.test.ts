import { expect, test } from "vitest";
import { readPastedConfig } from "./read-pasted-config";
import { toServerDraft } from "./server-draft";

const drafts = (text: unknown) =>
  readPastedConfig(typeof text === "string" ? text : JSON.stringify(text)).map(({ fields }) => toServerDraft(fields));

test("every server of a configuration is read, under an alias that its name can have", () => {
  const config = {
    mcpServers: {
      "My Files!": { command: "npx", args: ["-y", "server", 8080], env: { A: "1", PORT: 3000 } },
      second: { command: "x", disabled: true },
      third: { url: "https://example.com/mcp", headers: { "X-Key": "k" } },
    },
  };
  expect(drafts(config)).toMatchObject([
    { alias: "my-files", transport: "stdio", command: "npx", args: ["-y", "server", "8080"], env: { A: "1", PORT: "3000" }, enabled: true },
    { alias: "second", enabled: false },
    { alias: "third", transport: "streamable_http", headers: { "X-Key": "k" } },
  ]);
});

const url = "https://example.com/mcp";
test.each([
  ["Claude Desktop and Cursor", { mcpServers: { a: { command: "node" } } }, { transport: "stdio" }],
  ["VS Code's mcp.json", { servers: { a: { type: "sse", url } }, inputs: [] }, { transport: "sse" }],
  ["VS Code's settings", { mcp: { servers: { a: { type: "http", url } } } }, { transport: "streamable_http" }],
  [
    "Gemini CLI",
    { mcpServers: { a: { httpUrl: url, timeout: 20_000, includeTools: ["x"] } } },
    { url, callTimeoutSeconds: 20, allowedTools: ["x"] },
  ],
  [
    "Zed",
    { context_servers: { a: { source: "custom", command: "node", args: ["a"], enabled: false } } },
    { command: "node", enabled: false },
  ],
  ["Zed of before", { context_servers: { a: { command: { path: "node", args: ["a"], env: null } } } }, { command: "node", args: ["a"] }],
  ["an event stream", { mcpServers: { a: { url: "https://example.com/sse" } } }, { transport: "sse" }],
  ["servers by their names", { a: { command: "node" } }, { alias: "a" }],
  ["a server alone", { command: "node" }, { alias: "" }],
])("%s is understood", (_program, config, expected) => {
  expect(drafts(config)).toMatchObject([expected]);
});

test("comments and trailing commas are read past, and texts that look like them stay", () => {
  const text = `// servers
  { "mcpServers": { /* one */ "a": { "command": "sh", "args": ["-c", "echo // x, ]", "https://x/*y*/",], }, }, }`;
  expect(drafts(text)).toMatchObject([{ args: ["-c", "echo // x, ]", "https://x/*y*/"] }]);
});

test("references of other programs become ours, and those that only they know ask for a value", () => {
  const [server] = readPastedConfig(
    JSON.stringify({
      servers: {
        a: {
          command: "node",
          args: ["--key=${env:KEY}"],
          env: { A: "${input:token}", B: "${PORT:-80}", C: "${MCP_C}" },
          autoApprove: ["x"],
        },
      },
    }),
  );
  expect(server && toServerDraft(server.fields)).toMatchObject({ args: ["--key=${KEY}"], env: { A: "", B: "${PORT}", C: "${MCP_C}" } });
  expect(server).toMatchObject({
    needsValue: true,
    notes: [
      "Type the value of env.A: input:token is known to the other program only.",
      'The default "80" of PORT in env.B is left out: set the variable where Handrail runs.',
      "Not taken over: autoApprove.",
    ],
  });
});

test("a server that is not understood does not vanish, and its neighbours are read", () => {
  const read = readPastedConfig(
    JSON.stringify({ mcpServers: { a: { args: [1] }, b: { command: "x" }, c: { command: "x", env: { A: {} } } } }),
  );
  expect(read.map(({ name, notes, needsValue }) => [name, notes, needsValue])).toEqual([
    ["a", ["It has neither a command nor a URL."], true],
    ["b", [], false],
    ["c", ['"env.A" was not understood.'], true],
  ]);
});

test.each(["{", "[]", "{}", '"npx"', '{"mcpServers":{}}', '{"theme":"dark"}'])("%s is refused with a sentence", (text) => {
  expect(() => readPastedConfig(text)).toThrow(/JSON|No server/);
});

test("a form that is not known says what was seen in it", () => {
  expect(() => readPastedConfig('{"theme":"dark","font":1}')).toThrow('It has "theme", "font".');
});
