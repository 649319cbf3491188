import { expect, test } from "vitest";
import { readConfig } from "./read-config";

const drafts = (text: unknown) => readConfig(typeof text === "string" ? text : JSON.stringify(text)).map(({ settings }) => settings);

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
  const [server] = readConfig(
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
  expect(server?.settings).toMatchObject({ args: ["--key=${KEY}"], env: { A: "", B: "${PORT}", C: "${MCP_C}" } });
  expect(server).toMatchObject({
    missing: ["env.A"],
    notes: [
      "Type the value of env.A: input:token is known to the other program only.",
      'The default "80" of PORT in env.B is left out: set the variable where Handrail runs.',
      "Not taken over: autoApprove.",
    ],
  });
});

test("a server that is not understood does not vanish, and its neighbours are read", () => {
  const read = readConfig(JSON.stringify({ mcpServers: { a: { args: [1] }, b: { command: "x" }, c: { command: "x", env: { A: {} } } } }));
  expect(read.map(({ name, notes, settings }) => [name, notes, settings.command])).toEqual([
    ["a", ["It has neither a command nor a URL."], ""],
    ["b", [], "x"],
    ["c", ['"env.A" was not understood.'], ""],
  ]);
});

const stdio = { alias: "weather", transport: "stdio", command: "npx", args: ["-y", "weather-mcp"] };

test.each([
  [
    "Codex",
    `[mcp_servers.weather]
command = "npx"
args = ["-y", "weather-mcp"]
env_vars = ["LANG"]
tool_timeout_sec = 45
disabled_tools = ["wipe"]

[mcp_servers.weather.env]
KEY = "k"

[mcp_servers.figma]
url = "${url}"
bearer_token_env_var = "FIGMA"
http_headers = { "X-Region" = "eu" }`,
    [
      { ...stdio, env: { KEY: "k", LANG: "${LANG}" }, callTimeoutSeconds: 45, excludedTools: ["wipe"] },
      { alias: "figma", url, headers: { "X-Region": "eu", Authorization: "Bearer ${FIGMA}" } },
    ],
  ],
  [
    "Goose",
    `extensions:
  weather:
    type: stdio
    cmd: npx
    args: [-y, weather-mcp]
    envs: { LEVEL: info }
    env_keys: [KEY]
    timeout: 300
  remote:
    type: streamable_http
    uri: ${url}`,
    [
      { ...stdio, env: { LEVEL: "info", KEY: "" }, callTimeoutSeconds: 300 },
      { alias: "remote", transport: "streamable_http", url },
    ],
  ],
  [
    "Continue",
    `name: Mine
mcpServers:
  - name: weather
    command: npx
    args:
      - -y
      - weather-mcp
  - name: remote
    type: streamable-http
    url: ${url}
    requestOptions:
      headers: { X-Key: k }`,
    [stdio, { alias: "remote", url, headers: { "X-Key": "k" } }],
  ],
  [
    "opencode",
    JSON.stringify({
      mcp: {
        weather: { type: "local", command: ["npx", "-y", "weather-mcp"], environment: { KEY: "k" }, enabled: false },
        remote: { type: "remote", url },
      },
    }),
    [
      { ...stdio, env: { KEY: "k" }, enabled: false },
      { alias: "remote", url },
    ],
  ],
  [
    "Cursor's button",
    `cursor://anysphere.cursor-deeplink/mcp/install?name=weather&config=${btoa(JSON.stringify({ command: "npx", args: ["-y", "weather-mcp"] }))}`,
    [stdio],
  ],
  [
    "VS Code's button",
    `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "weather", command: "npx", args: ["-y", "weather-mcp"] }))}`,
    [stdio],
  ],
  [
    "Goose's button",
    "goose://extension?cmd=npx&arg=-y&arg=weather-mcp&id=weather&name=weather&env=KEY%3Da%20key",
    [{ ...stdio, env: { KEY: "" } }],
  ],
  ["an address", url, [{ alias: "example", transport: "streamable_http", url }]],
  ["npx", "$ npx -y weather-mcp", [stdio]],
  ["uvx", "uvx --from git+https://github.com/acme/weather mcp-server-weather", [{ command: "uvx" }]],
  [
    "docker",
    "docker run -i --rm -e KEY mcp/weather:latest",
    [{ alias: "weather", command: "docker", args: ["run", "-i", "--rm", "-e", "KEY", "mcp/weather:latest"] }],
  ],
  ["a script with a variable", "KEY=k node /srv/weather-mcp/dist/index.js", [{ alias: "weather", command: "node", env: { KEY: "k" } }]],
  ["members without their braces", '"weather": { "command": "npx", "args": ["-y", "weather-mcp"] },', [stdio]],
  ["an object without its braces", '"mcpServers": { "weather": { "command": "npx", "args": ["-y", "weather-mcp"] } }', [stdio]],
])("%s is understood as its README writes it", (_program, text, expected) => {
  expect(drafts(text)).toMatchObject(expected);
});

test("a bundle's manifest asks for its folder and for the values of its user", () => {
  const mcp_config = {
    command: "node",
    args: ["${__dirname}/server/index.js", "${user_config.folder}"],
    env: { KEY: "${user_config.key}" },
  };
  const manifest = {
    name: "weather",
    server: { type: "node", mcp_config },
    user_config: { key: { title: "Key" }, folder: { default: "/srv" } },
  };
  const [server] = readConfig(JSON.stringify(manifest));
  expect(server).toMatchObject({
    missing: ["args.0", "env.KEY"],
    settings: { alias: "weather", command: "node", args: ["/server/index.js", "/srv"] },
  });
});

test.each(["cursor://x/mcp/install?name=a&config=%%%", "vscode:mcp/install?%7B", "[mcp_servers.a]\ncommand = ", "theme: dark"])(
  "%s is refused with a sentence that says what it is",
  (text) => {
    expect(() => readConfig(text)).toThrow(/link|TOML|No server/);
  },
);

test.each(["{", "[]", "{}", '"npx"', '{"mcpServers":{}}', '{"theme":"dark"}'])("%s is refused with a sentence", (text) => {
  expect(() => readConfig(text)).toThrow(/JSON|No server/);
});

test("a form that is not known says what was seen in it", () => {
  expect(() => readConfig('{"theme":"dark","font":1}')).toThrow('It has "theme", "font".');
});

test.each([
  [
    'claude mcp add --transport http notion https://mcp.notion.com/mcp --header "Authorization: Bearer $NOTION"',
    { alias: "notion", transport: "streamable_http", url: "https://mcp.notion.com/mcp", headers: { Authorization: "Bearer ${NOTION}" } },
  ],
  ["$ claude mcp add --transport sse asana https://mcp.asana.com/sse", { alias: "asana", transport: "sse" }],
  [
    "claude mcp add airtable -s user --env KEY=a --env B='two words' -- npx -y airtable-mcp-server --flag \\\n  last",
    { alias: "airtable", command: "npx", args: ["-y", "airtable-mcp-server", "--flag", "last"], env: { KEY: "a", B: "two words" } },
  ],
  ['claude mcp add-json weather \'{"command":"node","args":["w.js"]}\'', { alias: "weather", command: "node", args: ["w.js"] }],
  ["codex mcp add docs --url https://example.com/mcp", { alias: "docs", url: "https://example.com/mcp" }],
  ["gemini mcp add -t http -H 'X-Key: k' docs https://example.com/mcp", { alias: "docs", headers: { "X-Key": "k" } }],
  ['code --add-mcp \'{"name":"docs","command":"uvx","args":["x"]}\'', { alias: "docs", command: "uvx" }],
])("the command %s is understood", (command, expected) => {
  expect(drafts(command)).toMatchObject([expected]);
});

test("a server.json of the registry asks for its secrets, and names what else it offers", () => {
  const environmentVariables = [
    { name: "API_KEY", description: "Your key", isRequired: true, isSecret: true },
    { name: "LEVEL", default: "info" },
    { name: "COLOR" },
  ];
  const packageArguments = [
    { type: "named", name: "--port", value: "80" },
    { type: "positional", valueHint: "folder", isRequired: true },
  ];
  const npm = { registryType: "npm", identifier: "@acme/mcp", version: "1.2.0", environmentVariables, packageArguments };
  const [server] = readConfig(JSON.stringify({ server: { name: "io.github.acme/weather", packages: [npm] } }));
  expect(server?.settings).toMatchObject({
    alias: "weather",
    command: "npx",
    args: ["-y", "@acme/mcp@1.2.0", "--port", "80", ""],
    env: { API_KEY: "", LEVEL: "info" },
  });
  expect(server?.missing).toEqual(["env.API_KEY", "args.4"]);
  expect(server?.notes).toContain("COLOR is left out, because it is optional.");
  const remotes = [{ type: "streamable-http", url: "https://example.com/mcp" }];
  const [remote] = readConfig(JSON.stringify({ name: "io.github.acme/weather", packages: [npm], remotes }));
  expect(remote?.settings).toMatchObject({ transport: "streamable_http", url: "https://example.com/mcp" });
  expect(remote?.notes).toEqual(["Also offered: @acme/mcp."]);
});

test("a value that is JSON is no placeholder", () => {
  const env = { DEFAULTS: '{"include_images": true}', LIST: '["a"]' };
  const [server] = readConfig(JSON.stringify({ mcpServers: { a: { command: "x", env } } }));
  expect(server).toMatchObject({ missing: [], settings: { env } });
});

test.each(["", "<your token>", "YOUR_API_KEY", "Bearer xxxx"])("the placeholder %s is asked for and not stored", (value) => {
  const [server] = readConfig(JSON.stringify({ mcpServers: { a: { command: "x", env: { KEY: value } } } }));
  expect(server).toMatchObject({ missing: ["env.KEY"], settings: { env: { KEY: "" } } });
});
