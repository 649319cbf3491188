/**
 * `npm run check:mcp-servers [-- --only name --allow host:port]`: adds each MCP server of `corpus/mcp-servers/servers.json` to a default
 * installation as its README writes it, presses the buttons that a failure offers, and prints the table of
 * `docs/mcp-servers.md`. `--allow host:port` stands in the allowed hosts of each: for a registry at an address of its own.
 * It needs the npm registry, a Redis (Debian: redis-server), and what `npm start` has built.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { identityEndpoints } from "@/contracts/identity/identity";
import { type McpServer, mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { type Caller, caller } from "../caller";
import { submitTurn, waitForEnd } from "../console/submit-requests";
import { adminEmail, adminPassword, freePort, startProduct } from "../product";
import { startRestartablePostgres } from "../replicas/restartable-postgres";

const root = path.resolve(import.meta.dirname, "../..");
const madeUpKey = "0123456789abcdef0123456789abcdef";
const startLimitMs = 240_000;

const Entry = z.strictObject({
  package: z.string(),
  version: z.string(),
  /** The configuration of its README; a text where it is no plain JSON. */
  config: z.union([z.string(), z.record(z.string(), z.unknown())]),
  /** Example values of the README by what stands for them here. */
  fill: z.record(z.string(), z.string()).default({}),
  /** A call that must succeed when it is connected. */
  call: z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }).optional(),
});
type Entry = z.infer<typeof Entry>;

const { values: options } = parseArgs({ options: { only: { type: "string" }, allow: { type: "string", multiple: true } } });
const all = z.array(Entry).parse(JSON.parse(await readFile(path.join(root, "corpus/mcp-servers/servers.json"), "utf8")));
const entries = all.filter((entry) => !options.only || new RegExp(options.only).test(entry.package));

const folder = await mkdtemp(path.join(tmpdir(), "handrail-mcp-servers-"));
const children: ChildProcess[] = [];
const postgres = await startRestartablePostgres();
const product = await startProduct({ dataDir: path.join(folder, "data"), name: "mcp-servers" });
try {
  const { token } = await caller(product.url, null).call(identityEndpoints.token, { body: { email: adminEmail, password: adminPassword } });
  const people = { admin: caller(product.url, token), agent: caller(product.url, product.agentKey()) };
  const places = { folder, postgres: postgres.url, redis: await startRedis(), product: await startRemote() };
  let connected = 0;
  console.log("| server | added by its README | then |\n|---|---|---|");
  for (const entry of entries) {
    const { first, after, isConnected } = await tryServer(entry, places, people);
    if (isConnected) connected += 1;
    console.log(`| ${entry.package} ${entry.version} | ${first} | ${after} |`);
  }
  console.log(`\n${connected} of ${entries.length} are connected.`);
} finally {
  await product.stop();
  await postgres.remove();
  for (const child of children) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
}

type Outcome = { first: string; after: string; isConnected: boolean };

/** Adds a server, presses the buttons of its failures until there is none, calls its tool, and removes it. */
async function tryServer(
  entry: Entry,
  places: Record<string, string>,
  { admin, agent }: { admin: Caller; agent: Caller },
): Promise<Outcome> {
  const config = configOf(entry, places);
  const dryRun = async (values: Record<string, Record<string, string>>) =>
    (await admin.call(mcpServerEndpoints.importConfig, { body: { config, values, dryRun: true } })).servers[0];
  let read = await dryRun({});
  const asked = read?.status === "needs_value" ? read.missing : [];
  // A README leaves keys to its reader. Their services are not reached from here, so that any text will do.
  if (read && asked.length > 0) read = await dryRun({ [read.name]: Object.fromEntries(asked.map((place) => [place, madeUpKey])) });
  if (read?.status !== "ready") return { first: `not added: ${read?.status}`, after: cell(read?.reason ?? ""), isConnected: false };
  const { command, url, cwd, ...settings } = read.settings;
  const allowedHosts = [...settings.allowedHosts, ...(options.allow ?? [])];
  const draft = { ...settings, allowedHosts, tier: "core" as const, command: command || null, url: url || null, cwd: cwd || null };
  const { id } = await admin.call(mcpServerEndpoints.create, { body: draft });
  let server = await settled(admin, id);
  const first = server.status === "connected" ? `connected, ${server.toolCount} tools` : cell(`${server.lastError ?? server.status}`);
  const pressed: string[] = [];
  while (server.status !== "connected" && server.cures[0] && pressed.length < 6) {
    const cure = server.cures[0];
    if (pressed.includes(JSON.stringify(cure))) break;
    pressed.push(JSON.stringify(cure));
    const body = {
      read: () => ({ readablePaths: [...server.readablePaths, cure.kind === "read" ? cure.path : ""] }),
      reach: () => ({ allowedHosts: [...server.allowedHosts, cure.kind === "reach" ? cure.host : ""] }),
      outside: () => ({ outsideSandbox: true }),
    }[cure.kind]();
    await admin.call(mcpServerEndpoints.patch, { params: { id: server.id }, body });
    server = await settled(admin, server.id);
  }
  const isConnected = server.status === "connected";
  if (!isConnected) console.error(server.lastStderr);
  const cured = pressed.map((cure) => nameOf(JSON.parse(cure))).join(", ");
  const end = isConnected ? `connected, ${server.toolCount} tools` : cell(server.lastError ?? server.status);
  const called = isConnected && entry.call ? `; ${await callTool(entry, places, server, admin, agent)}` : "";
  await admin.call(mcpServerEndpoints.remove, { params: { id: server.id } });
  return { first, after: `${cured ? `${cured}: ` : ""}${cured || !isConnected ? end : "-"}${called}`, isConnected };
}

function nameOf(cure: McpServer["cures"][number]): string {
  if (cure.kind === "read") return "*let it read*";
  return cure.kind === "reach" ? "*let it reach*" : "*run it outside the sandbox*";
}

/** The configuration with the version that was tried, and with what stands for the README's example values. */
function configOf(entry: Entry, places: Record<string, string>): string {
  let config = typeof entry.config === "string" ? entry.config : JSON.stringify(entry.config);
  for (const [example, own] of Object.entries(entry.fill)) config = config.replaceAll(example, own);
  return withPlaces(config, places).replace(
    new RegExp(`"${entry.package.replaceAll(/[/.]/g, "\\$&")}(@latest)?"`),
    `"${entry.package}@${entry.version}"`,
  );
}

/** Waits until a connection attempt has ended. */
async function settled(admin: Caller, id: string): Promise<McpServer> {
  const until = Date.now() + startLimitMs;
  for (;;) {
    const server = await admin.call(mcpServerEndpoints.get, { params: { id } });
    if (server.status === "connected" || server.status === "error" || Date.now() > until) return server;
    await pause(500);
  }
}

/** Calls the entry's tool as an agent; a person approves it when it asks. */
async function callTool(entry: Entry, places: Record<string, string>, server: McpServer, admin: Caller, agent: Caller): Promise<string> {
  const given = JSON.parse(withPlaces(JSON.stringify(entry.call?.arguments), places));
  const turn = await submitTurn(agent, [{ name: `${server.alias}__${entry.call?.tool}`, arguments: given }]);
  const approvalId = turn.calls[0]?.approvalId;
  if (approvalId) await admin.call(approvalEndpoints.decide, { params: { id: approvalId }, body: { decision: "approve" } });
  const [call] = (await waitForEnd(agent, turn.id)).calls;
  if (call?.status !== "succeeded") console.error(call);
  return `\`${entry.call?.tool}\` ${call?.status}`;
}

function withPlaces(text: string, places: Record<string, string>): string {
  return Object.entries(places).reduce((filled, [name, place]) => filled.replaceAll(`{${name}}`, place), text);
}

/** One line that a table can hold. */
function cell(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").replaceAll(folder, "...").slice(0, 300);
}

async function startRedis(): Promise<string> {
  const port = await freePort();
  const redis = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder], { stdio: "ignore" });
  children.push(redis);
  await Promise.race([once(redis, "spawn"), once(redis, "error").then(([error]) => Promise.reject(error))]);
  return `redis://localhost:${port}`;
}

/** An MCP server over HTTP, for the bridge `mcp-remote`. */
async function startRemote(): Promise<string> {
  const port = await freePort();
  const script = path.join(root, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
  children.push(spawn(process.execPath, [script, "streamableHttp"], { env: { ...process.env, PORT: String(port) }, stdio: "ignore" }));
  return `http://localhost:${port}/mcp`;
}
