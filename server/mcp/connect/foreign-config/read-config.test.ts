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
  expect(server?.settings).toMatchObject({ args: ["--key=${KEY}"], env: { A: "", B: "${PORT:-80}", C: "${MCP_C}" } });
  expect(server).toMatchObject({
    missing: ["env.A"],
    notes: ["Type the value of env.A: input:token is known to the other program only.", "Not taken over: autoApprove."],
  });
});

test.each([
  ["npx -y weather-mcp", ["-y", "weather-mcp"]],
  ["npx  -y weather-mcp --name 'two words' \"a b\"", ["-y", "weather-mcp", "--name", "two words", "a b"]],
])("a command with its arguments in one text is split into words: %s", (command, args) => {
  expect(drafts({ mcpServers: { a: { command } } })).toMatchObject([{ command: "npx", args }]);
  const link = `cursor://anysphere.cursor-deeplink/mcp/install?name=weather&config=${btoa(JSON.stringify({ command }))}`;
  expect(drafts(link)).toMatchObject([{ alias: "weather", command: "npx", args }]);
});

test("a command in one text keeps the arguments beside it, its variables, and paths with spaces whole", () => {
  expect(drafts({ a: { command: "npx -y weather-mcp", args: ["--x"] } })).toMatchObject([{ args: ["-y", "weather-mcp", "--x"] }]);
  expect(drafts({ a: { command: "KEY=k npx weather-mcp", env: { B: "b" } } })).toMatchObject([
    { command: "npx", args: ["weather-mcp"], env: { KEY: "k", B: "b" } },
  ]);
  expect(drafts({ a: { command: "/opt/My App/run", args: ["x"] } })).toMatchObject([{ command: "/opt/My App/run", args: ["x"] }]);
  expect(drafts({ a: { command: "C:\\My App\\weather.exe" } })).toMatchObject([{ command: "C:\\My App\\weather.exe", args: [] }]);
});

test("a line for a shell is not taken apart, and says what is wanted instead", () => {
  const [server] = readConfig(JSON.stringify({ mcpServers: { a: { command: "cd /srv/x && npm start" } } }));
  expect(server?.settings.command).toBe("");
  expect(server?.notes).toEqual(["Its command is a line for a shell. Name the program, its arguments and its working folder instead."]);
});

test("secrets of Continue are asked for, in values and in arguments", () => {
  const yaml =
    "name: Mine\nmcpServers:\n  - name: a\n    command: x\n    args: ['--key=${{ secrets.KEY }}']\n    env:\n      TOKEN: ${{ secrets.TOKEN }}\n";
  const [server] = readConfig(yaml);
  expect(server).toMatchObject({ missing: expect.arrayContaining(["args.0", "env.TOKEN"]), settings: { env: { TOKEN: "" } } });
  expect(server?.notes).toContain("Type the value of env.TOKEN: secrets.TOKEN is known to the other program only.");
});

test.each([
  ['```json\n{ "mcpServers": { "a": { "command": "npx" } } }\n```'],
  ['Add this to your file:\n\n  ```jsonc\n  { "a": { "command": "npx" } }\n  ```\n\nThen restart.'],
  ['```\nnpm install -g x\n```\nand\n```json\n{ "a": { "command": "npx" } }\n```'],
  ['```json\n{ "a": { "command": "npx" } }'],
])("a block of code of a README is read: %s", (text) => {
  expect(drafts(text)).toMatchObject([{ alias: "a", command: "npx" }]);
});

test.each([
  ["mcp.example.com/mcp", "https://mcp.example.com/mcp"],
  ["mcp.example.com", "https://mcp.example.com"],
  ["api.example.com:8443/sse", "https://api.example.com:8443/sse"],
  ["localhost:3000/mcp", "http://localhost:3000/mcp"],
])("an address without its scheme is read: %s", (text, address) => {
  expect(drafts(text)).toMatchObject([{ url: address }]);
  expect(drafts({ mcpServers: { a: { url: text } } })).toMatchObject([{ url: address }]);
  expect(drafts(`claude mcp add --transport http a ${text}`)).toMatchObject([{ url: address }]);
});

test("a value of null is asked for, and arguments in one text are split", () => {
  const [server] = readConfig(
    JSON.stringify({ mcpServers: { a: { command: "npx", args: "-y 'my server'", env: { KEY: null, B: "b" } } } }),
  );
  expect(server).toMatchObject({ missing: ["env.KEY"], settings: { args: ["-y", "my server"], env: { KEY: "", B: "b" } } });
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

const config = { command: "npx", args: ["-y", "weather-mcp"] };
const cursorLink = `cursor://anysphere.cursor-deeplink/mcp/install?name=weather&config=${btoa(JSON.stringify(config))}`;
const codeLink = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "weather", ...config }))}`;
const codeQuery = `name=weather&config=${encodeURIComponent(JSON.stringify(config))}`;

test.each([
  ["a badge of Cursor", `[![Install MCP Server](https://cursor.com/deeplink/mcp-install-dark.svg)](${cursorLink})`],
  ["a link", `Click [Add to Cursor](${cursorLink}) and restart.`],
  ["a badge of VS Code", `[![Install in VS Code](https://img.shields.io/badge/VS_Code-0098FF)](${codeLink})`],
  [
    "a page of VS Code",
    `[![Install](https://img.shields.io/x)](https://insiders.vscode.dev/redirect/mcp/install?${codeQuery}&quality=insiders)`,
  ],
  ["a page that leads on", `[Install](https://insiders.vscode.dev/redirect?url=${encodeURIComponent(codeLink)})`],
  ["a page that leads on, encoded once", `[Install](https://vscode.dev/redirect?url=${codeLink})`],
  ["a link in HTML", `<a href="https://insiders.vscode.dev/redirect/mcp/install?quality=x&amp;${codeQuery}"><img src="x.svg"></a>`],
  ["a definition of a link", `[![Install][badge]][cursor]\n\n[badge]: https://img.shields.io/x\n[cursor]: ${cursorLink}`],
  [
    "badges of several programs",
    `[![a](https://x/a.svg)](https://example.com)\n[![b](https://x/b.svg)](${codeLink}) [![c](https://x/c.svg)](${cursorLink})`,
  ],
  ["a README whose blocks hold no server", `\`\`\`sh\nnpm install\n\`\`\`\n[Install](${cursorLink})`],
])("%s of a README's Markdown is read", (_what, text) => {
  expect(drafts(text)).toMatchObject([stdio]);
});

test("badges of several servers are all read, each server once", () => {
  const tides = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "tides", url: "https://tides.example.com/mcp" }))}`;
  const renamed = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "Weather (stable)", ...config }))}`;
  const broken = "cursor://anysphere.cursor-deeplink/mcp/install?name=cut&config=eyJj";
  const badges = [cursorLink, codeLink, broken, renamed, tides].map((link) => `[![Install](https://x/a.svg)](${link})`);
  expect(drafts(badges.join(" "))).toMatchObject([stdio, { alias: "tides", url: "https://tides.example.com/mcp" }]);
});

test("servers of one name have names of their own, by which choices and values are sent", () => {
  const read = readConfig("claude mcp add x -- npx -y a\nclaude mcp add x -- npx -y b\nclaude mcp add x -- npx -y c");
  expect(read.map(({ name, settings }) => [name, settings.alias, settings.args[1]])).toEqual([
    ["x", "x", "a"],
    ["x (2)", "x-2", "b"],
    ["x (3)", "x-3", "c"],
  ]);
  expect(read[1]?.notes).toEqual(['Its alias is x-2, because "x" gives the alias x too.']);
});

test("the token of Codex's command is asked for, as in its file", () => {
  const [server] = readConfig("codex mcp add far --url https://example.com/mcp --bearer-token-env-var FAR_TOKEN");
  expect(server?.settings.headers).toEqual({ Authorization: "Bearer ${FAR_TOKEN}" });
  expect(server?.notes).toEqual([]);
});

test.each([
  ["/usr/bin/env npx -y weather-mcp", []],
  ["/opt/none/bin/npx -y weather-mcp", ["/opt/none/bin/npx is a path of another machine, so npx is started by its name."]],
  ["C:\\Program Files\\nodejs\\npx.cmd -y weather-mcp", []],
  ['"C:\\Program Files\\nodejs\\npx.cmd" -y weather-mcp', []],
  ["cmd /c npx -y weather-mcp", []],
  ["claude mcp add weather -- cmd /c npx -y weather-mcp", []],
])("a runner is started by its name, however another machine starts it: %s", (line, notes) => {
  const [server] = readConfig(line);
  expect(server).toMatchObject({ notes, settings: stdio });
});

test("a runner's path in a configuration is taken over where it is one of this machine, and else by its name", () => {
  const read = (command: string, args = ["-y", "weather-mcp"]) => readConfig(JSON.stringify({ weather: { command, args } }))[0];
  expect(read(process.execPath)?.settings).toMatchObject({ command: process.execPath });
  expect(read("C:\\Program Files\\nodejs\\npx.cmd")).toMatchObject({
    settings: stdio,
    notes: ["C:\\Program Files\\nodejs\\npx.cmd is a path of another machine, so npx is started by its name."],
  });
  expect(read("npx.cmd")).toMatchObject({ settings: stdio, notes: [] });
  expect(read("cmd", ["/c", "npx", "-y", "weather-mcp"])).toMatchObject({ settings: stdio, notes: [] });
  expect(read("/opt/none/bin/weather")?.settings).toMatchObject({ command: "/opt/none/bin/weather" });
  expect(drafts("/usr/bin/npx -y weather-mcp")).toMatchObject([{ alias: "weather", args: ["-y", "weather-mcp"] }]);
});

test.each([
  ["env KEY=v LEVEL='two words' npx -y weather-mcp", { KEY: "v", LEVEL: "two words" }],
  ["KEY='a b' npx -y weather-mcp", { KEY: "a b" }],
  [JSON.stringify({ weather: { command: "env", args: ["KEY=v", "npx", "-y", "weather-mcp"], env: { B: "b" } } }), { KEY: "v", B: "b" }],
  ["claude mcp add weather -e B=b -- env KEY=v npx -y weather-mcp", { B: "b", KEY: "v" }],
])("the variables before a command are its environment: %s", (text, env) => {
  expect(drafts(text)).toMatchObject([{ ...stdio, env }]);
});

test("what stands in single quotes is text: no reference, no line for a shell", () => {
  const line = `npx -y weather-mcp --filter 'a | b' --run '$(date)' --tick '\`x\`' --home '$HOME' --own '\${OWN}' --key "$KEY" --json '{"a": "b"}'`;
  const [server] = readConfig(line);
  expect(server?.notes).toEqual([]);
  expect(server?.settings.args.slice(2)).toEqual([
    "--filter",
    "a | b",
    "--run",
    "$(date)",
    "--tick",
    "`x`",
    "--home",
    "$HOME",
    "--own",
    "$${OWN}",
    "--key",
    "${KEY}",
    "--json",
    '{"a": "b"}',
  ]);
  for (const shell of [`npx -y x "$(date)"`, "npx -y x 'a' | tee log", "npx -y x `id`"])
    expect(readConfig(shell)[0]?.notes, shell).toEqual([expect.stringContaining("a line for a shell")]);
});

test("names that give one alias are numbered, and the note says why", () => {
  const long = "a-very-long-name-of-a-server-that-is-cut";
  const read = readConfig(
    JSON.stringify({
      mcpServers: Object.fromEntries(["My Files", "my files!", "my-files-2", long, `${long}2`].map((name) => [name, config])),
    }),
  );
  expect(read.map(({ settings }) => settings.alias)).toEqual([
    "my-files",
    "my-files-3",
    "my-files-2",
    "a-very-long-name-of-a-server-tha",
    "a-very-long-name-of-a-server-t-2",
  ]);
  expect(read[1]?.notes).toEqual(['Its alias is my-files-3, because "My Files" gives the alias my-files too.']);
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

test.each(["npx -y foo-mcp $(cat x)", "npx -y foo-mcp | tee log", "npx -y foo-mcp `id`", "npx -y foo-mcp > log"])(
  "%s needs a shell, so that its command is not taken over",
  (line) => {
    const [server] = readConfig(line);
    expect(server?.settings).toMatchObject({ transport: "stdio", command: "", args: [] });
    expect(server?.notes).toEqual([expect.stringContaining("a line for a shell")]);
  },
);

test("a line's variable is a reference, because a shell would have filled it in", () => {
  expect(drafts("npx -y foo-mcp --token=$TOKEN")).toMatchObject([{ args: ["-y", "foo-mcp", "--token=${TOKEN}"] }]);
});

test.each([
  ["docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server", ["env.GITHUB_TOKEN"], { env: { GITHUB_TOKEN: "" } }],
  ["docker run -i --rm -e TOKEN=<your-token> mcp/foo", ["env.TOKEN"], { args: ["run", "-i", "--rm", "-e", "TOKEN", "mcp/foo"] }],
  [{ mcpServers: { a: { command: "npx", args: ["a", "--api-key", "YOUR_API_KEY"] } } }, ["args.2"], { args: ["a", "--api-key", ""] }],
  [{ mcpServers: { a: { command: "node", args: ["/path/to/server.js"] } } }, ["args.0"], { args: [""] }],
  ["https://x.example/mcp?api_key=YOUR_API_KEY", ["url"], { url: "" }],
  ["docker run -i -e MODE=fast mcp/foo", [], { args: ["run", "-i", "-e", "MODE=fast", "mcp/foo"] }],
  [{ mcpServers: { a: { command: "docker", args: ["run", "-e", "TOKEN", "x"], env: { TOKEN: "t" } } } }, [], { env: { TOKEN: "t" } }],
  ["npx -y your-server", [], { args: ["-y", "your-server"] }],
])("what a README leaves to its reader is asked for: %j", (config, missing, expected) => {
  const [server] = readConfig(typeof config === "string" ? config : JSON.stringify(config));
  expect(server?.missing).toEqual(missing);
  expect(server?.settings).toMatchObject(expected);
});

test("typographic quotes and unbreakable spaces of a page are read", () => {
  expect(drafts("{“mcpServers”:\u00a0{“a”: {“command”: “npx”}}}")).toMatchObject([{ alias: "a", command: "npx" }]);
});
