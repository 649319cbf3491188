import { isJsonObject } from "@/contracts/lib/is-json-object";

/** One server in the members that `readServer` knows, with its name. */
export type CommonServer = { name: string; server: unknown };

type Members = Record<string, unknown>;

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const membersOf = (value: unknown): [string, unknown][] => (isJsonObject(value) ? Object.entries(value) : []);
const reference = (variable: unknown): string => `\${${String(variable)}}`;

/**
 * Finds the servers of programs whose configuration has a form of its own, and puts them into the common one: Codex, Goose,
 * Continue, opencode, and the manifest of an MCPB bundle.
 * @returns null when it is none of them
 */
export function readDialect(config: unknown): CommonServer[] | null {
  if (!isJsonObject(config)) return null;
  if (isJsonObject(config.mcp_servers)) return membersOf(config.mcp_servers).map(([name, server]) => ({ name, server: fromCodex(server) }));
  if (isJsonObject(config.extensions)) return membersOf(config.extensions).map(([name, server]) => ({ name, server: fromGoose(server) }));
  if (Array.isArray(config.mcpServers)) return config.mcpServers.map(fromContinue);
  if (isBundle(config)) return [fromBundle(config)];
  const opencode = isJsonObject(config.mcp) ? membersOf(config.mcp) : [];
  if (opencode.length > 0 && opencode.every(([, server]) => isJsonObject(server) && /^(?:local|remote)$/.test(String(server.type))))
    return opencode.map(([name, server]) => ({ name, server: fromOpencode(server) }));
  return null;
}

/** Codex keeps names of variables beside values; its time limits are in seconds. */
function fromCodex(server: unknown): unknown {
  if (!isJsonObject(server)) return server;
  const { http_headers, env_http_headers, bearer_token_env_var, env_vars, enabled_tools, disabled_tools, env, ...rest } = server;
  const { tool_timeout_sec, startup_timeout_sec: _start, startup_timeout_ms: _startMs, ...common } = rest;
  const headers: Members = {
    ...(isJsonObject(http_headers) ? http_headers : {}),
    ...Object.fromEntries(membersOf(env_http_headers).map(([name, variable]) => [name, reference(variable)])),
    ...(bearer_token_env_var === undefined ? {} : { Authorization: `Bearer ${reference(bearer_token_env_var)}` }),
  };
  const passed = listOf(env_vars).map((variable) => [String(variable), reference(variable)]);
  return {
    ...common,
    env: { ...Object.fromEntries(passed), ...(isJsonObject(env) ? env : {}) },
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(enabled_tools === undefined ? {} : { includeTools: enabled_tools }),
    ...(disabled_tools === undefined ? {} : { excludeTools: disabled_tools }),
    ...(tool_timeout_sec === undefined ? {} : { timeout: tool_timeout_sec }),
  };
}

/** Goose keeps secrets of `env_keys` in its own store, so that only their names are known. */
function fromGoose(server: unknown): unknown {
  if (!isJsonObject(server)) return server;
  const { cmd, envs, env_keys, uri, type, bundled: _bundled, available_tools, display_name: _title, ...rest } = server;
  const asked = Object.fromEntries(listOf(env_keys).map((variable) => [String(variable), ""]));
  return {
    ...rest,
    ...(cmd === undefined ? {} : { command: cmd }),
    ...(uri === undefined ? {} : { url: uri, type: type === "sse" ? "sse" : "http" }),
    env: { ...asked, ...(isJsonObject(envs) ? envs : {}) },
    ...(listOf(available_tools).length > 0 ? { includeTools: available_tools } : {}),
  };
}

function fromContinue(server: unknown): CommonServer {
  if (!isJsonObject(server)) return { name: "", server };
  const { name, requestOptions, connectionTimeout: _connect, ...rest } = server;
  const headers = isJsonObject(requestOptions) ? requestOptions.headers : undefined;
  return { name: String(name ?? ""), server: { ...rest, ...(headers === undefined ? {} : { headers }) } };
}

function fromOpencode(server: unknown): unknown {
  if (!isJsonObject(server)) return server;
  const { environment, oauth: _oauth, type: _type, ...rest } = server;
  return { ...rest, ...(environment === undefined ? {} : { env: environment }) };
}

const isBundle = ({ server }: Members): boolean => isJsonObject(server) && isJsonObject(server.mcp_config);

/** An MCPB bundle runs from its own folder, and asks its user for values, which are known here by their names only. */
function fromBundle({ name, server, user_config }: Members): CommonServer {
  const config = isJsonObject(server) && isJsonObject(server.mcp_config) ? server.mcp_config : {};
  const asked = isJsonObject(user_config) ? user_config : {};
  const filled = JSON.stringify(config).replace(/\$\{user_config\.([\w-]+)\}/g, (found, key: string) => {
    const field = asked[key];
    const given = isJsonObject(field) && ["string", "number", "boolean"].includes(typeof field.default) ? String(field.default) : null;
    // Quotes and backslashes of a default stay text of the JSON around it.
    return given === null ? found.replace("user_config.", "user_config:") : JSON.stringify(given).slice(1, -1);
  });
  return { name: String(name ?? ""), server: JSON.parse(filled.replace(/\$\{__dirname\}/g, reference("bundle:folder"))) };
}
