/** The configuration of one MCP client for this server. */
export type ClientConfig = {
  id: "claude-code" | "claude-desktop" | "cursor" | "vscode" | "codex";
  label: string;
  /** Where the text goes. */
  place: string;
  code: string;
};

type Endpoint = { url: string; key: string };

/** Returns a configuration per MCP client, for the endpoint of this server and one API key. */
export function clientConfigs({ url, key }: Endpoint): ClientConfig[] {
  const given = { url: `${url}/mcp`, key };
  return [
    { id: "claude-code", label: "Claude Code", place: "Shell", code: claudeCode(given) },
    { id: "claude-desktop", label: "Claude Desktop", place: "claude_desktop_config.json", code: claudeDesktop(given) },
    { id: "cursor", label: "Cursor", place: "~/.cursor/mcp.json", code: json({ mcpServers: { handrail: remote(given) } }) },
    {
      id: "vscode",
      label: "VS Code",
      place: ".vscode/mcp.json",
      code: json({ servers: { handrail: { type: "http", ...remote(given) } } }),
    },
    { id: "codex", label: "Codex", place: "~/.codex/config.toml", code: codex(given) },
  ];
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
const remote = ({ url, key }: Endpoint) => ({ url, headers: { Authorization: `Bearer ${key}` } });

const claudeCode = ({ url, key }: Endpoint) =>
  `claude mcp add --transport http handrail ${url} \\\n  --header "Authorization: Bearer ${key}"`;

/** Claude Desktop starts programs only, so mcp-remote is the bridge. The header comes from `env`, because its blank would split the argument. */
function claudeDesktop({ url, key }: Endpoint): string {
  const args = ["-y", "mcp-remote", url, "--header", "Authorization:$" + "{AUTH_HEADER}"];
  if (needsAllowHttp(url)) args.push("--allow-http");
  return json({ mcpServers: { handrail: { command: "npx", args, env: { AUTH_HEADER: `Bearer ${key}` } } } });
}

/** mcp-remote refuses http addresses of other machines. */
function needsAllowHttp(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && hostname !== "localhost" && hostname !== "127.0.0.1";
}

const codex = ({ url, key }: Endpoint) => `[mcp_servers.handrail]
url = "${url}"
http_headers = { Authorization = "Bearer ${key}" }`;
