import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { installedNode, installProgram } from "@/scripts/install-program";
import { env } from "@/server/platform/env";
import { buildConversation } from "@/server/testing/builders";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { removeServer } from "./remove-server";
import { testDraft } from "./test-draft";

const servers = useConnectedServers({ sandbox: "auto" });
const never = new AbortController().signal;

const installed: Record<string, string> = {};
beforeAll(async () => {
  const modules = path.resolve("node_modules/@modelcontextprotocol");
  const programs = {
    everything: `${modules}/server-everything/dist/index.js`,
    filesystem: `${modules}/server-filesystem/dist/index.js`,
    memory: `${modules}/server-memory/dist/index.js`,
    looking: path.resolve("server/testing/mcp/environment-mcp-server.mjs"),
    full: path.resolve("server/testing/mcp/full-mcp-server.mjs"),
  };
  for (const [name, program] of Object.entries(programs)) installed[name] = await installProgram(name, program);
});

const boxed = (alias: string, program: string, args: string[] = [], rest: Partial<McpServerDraft> = {}) =>
  servers.draft(alias, [installed[program] ?? "", ...args], { command: installedNode(), network: "none", ...rest });

describe("Real servers in the sandbox", () => {
  test("The everything server connects, and its tools run", async () => {
    await servers.start();
    const { id, unconfined } = await servers.connectedAs(boxed("everything", "everything"));

    expect(unconfined).toBeNull();
    expect(await servers.run(id, "everything__echo", { message: "boxed" })).toContain("boxed");
  });

  test("A session of one conversation runs in a sandbox of its own, and its folder goes with it", async () => {
    await servers.start();
    const { id, unconfined } = await servers.connectedAs(boxed("web", "full", [], { sessionScope: "per_conversation" }));
    const { workspace, admin, agent } = servers.house();
    const { id: conversationId } = await buildConversation(admin, { agentId: agent.id });
    const origin = { workspaceId: workspace.id, conversationId, requestedBy: { type: "user" as const, id: admin.id, name: "Ada" } };

    expect(unconfined).toBeNull();
    await servers.run(id, "web__open_page", { url: "https://a.example" }, { origin });
    expect(await servers.run(id, "web__snapshot", {}, { origin })).toBe("page: https://a.example");
    const folders = () => readdirSync(path.join(env().dataDir, "mcp")).filter((name) => name.startsWith("trial-"));
    expect(folders()).toHaveLength(1);
    await servers.stop();
    expect(folders()).toEqual([]);
  });

  test("The filesystem server reaches the folder that its arguments name, and no other", async () => {
    await servers.start();
    const folder = path.join(servers.folder(), "files");
    await mkdir(folder);
    await writeFile(path.join(folder, "a.txt"), "of the folder");
    const { id } = await servers.connectedAs(boxed("files", "filesystem", [folder]));

    expect(await servers.run(id, "files__read_text_file", { path: path.join(folder, "a.txt") })).toContain("of the folder");
    await servers.run(id, "files__write_file", { path: path.join(folder, "b.txt"), content: "written" });
    expect(await readFile(path.join(folder, "b.txt"), "utf8")).toBe("written");
  });

  test("The memory server keeps its graph in its working folder over a new connection", async () => {
    await servers.start();
    const folder = path.join(servers.folder(), "graph");
    await mkdir(folder);
    const settings = boxed("memory", "memory", [], { cwd: folder, env: { MEMORY_FILE_PATH: path.join(folder, "memory.jsonl") } });
    const entities = [{ name: "Ada", entityType: "person", observations: ["writes programs"] }];
    const { id } = await servers.connectedAs(settings);
    await servers.run(id, "memory__create_entities", { entities });
    await servers.stop();
    await servers.start();
    await servers.statusOf(id, "connected");

    expect(await servers.run(id, "memory__read_graph")).toContain("writes programs");
  });
});

describe("A program in the sandbox", () => {
  /** Returns what the program sees, by calling the program's `look` tool. */
  async function look(settings: McpServerDraft, asked: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { id } = await servers.connectedAs(settings);
    return JSON.parse(await servers.run(id, `${settings.alias}__look`, asked));
  }

  test("It starts in an empty folder of its own, which is its HOME, without our environment, data folder and checkout", async () => {
    await servers.start();
    const settings = boxed("own", "looking", [], { env: { API_KEY: "secret-of-its-own" } });
    const seen = await look(settings, { exists: [env().dataDir, path.join(env().dataDir, "sandbox"), process.cwd(), "/root"] });

    const [id] = readdirSync(path.join(env().dataDir, "mcp"));
    const folder = path.join(env().dataDir, "mcp", id ?? "");
    expect(seen).toMatchObject({ cwd: folder, home: folder, files: [], readable: [] });
    const { API_KEY, PATH } = seen.env as Record<string, string>;
    // It has its key, and no answer of it shows the key to a model.
    expect(API_KEY).toBe("se***wn");
    expect(PATH).not.toContain("node_modules");
    expect(JSON.stringify(seen.env)).not.toMatch(/HANDRAIL_|DATABASE_URL/);
  });

  test("It cannot change its own program or a file that its arguments name, unless that is data of its working folder", async () => {
    await servers.start();
    const folder = path.join(servers.folder(), "named");
    await mkdir(path.join(folder, "work"), { recursive: true });
    const at = (name: string) => path.join(folder, name);
    for (const file of ["settings.json", "work/data.json", "work/extra.mjs"]) await writeFile(at(file), "");
    const args = [at("settings.json"), at("work/data.json"), "extra.mjs"];
    const append = [
      installed.looking ?? "",
      installedNode(),
      at("settings.json"),
      at("work/extra.mjs"),
      at("work/data.json"),
      at("work/new"),
    ];
    const seen = await look(boxed("named", "looking", args, { cwd: at("work") }), { append });

    expect(seen.appended).toEqual(["EROFS", expect.stringMatching(/^(?:EROFS|ETXTBSY)$/), "EROFS", "EROFS", "written", "written"]);
  });

  test("Its secrets stand in no list of processes", async () => {
    await servers.start();
    await servers.connectedAs(boxed("listed", "looking", [servers.marker], { env: { API_KEY: "secret-of-its-own" } }));

    const listed = (await servers.processes()).join("\n");
    expect(listed).toContain(servers.marker);
    expect(listed).not.toContain("secret-of-its-own");
  });

  test("With no network, with named hosts and with any public host, it reaches what that says, and nothing of this machine", async () => {
    await servers.start();
    const served = createHttpServer((_request, response) => response.end("reached")).listen(0, "127.0.0.2");
    await once(served, "listening");
    const { port } = served.address() as AddressInfo;
    const place = `127.0.0.2:${port}`;
    const asked = { fetch: [`http://${place}/`, "http://169.254.169.254/latest"] };
    const refused = (why: string) => [expect.stringContaining(why), expect.stringContaining("403")];

    expect((await look(boxed("none", "looking"), asked)).fetched).toEqual(["no proxy", "no proxy"]);
    expect((await look(boxed("open", "looking", [], { network: "open" }), asked)).fetched).toEqual(refused("403 127.0.0.2 is a private"));
    const other = { network: "hosts", allowedHosts: ["example.com"] } as const;
    expect((await look(boxed("other", "looking", [], { ...other, allowedHosts: ["example.com"] }), asked)).fetched).toEqual(
      refused(`${place} is not among the hosts of this call. Add it to the allowed hosts of this MCP server.`),
    );
    const named = await look(boxed("named", "looking", [], { network: "hosts", allowedHosts: [place] }), asked);
    expect(named.fetched).toEqual(["200 reached", expect.stringContaining("403")]);
    served.close();
  });

  test("It ends with its connection, children that ignore it included", async () => {
    await servers.start();
    const { id } = await servers.connectedAs(boxed("children", "looking", [servers.marker, "child"]));
    expect((await servers.processes()).length).toBeGreaterThan(1);

    await removeServer(servers.admin(), id, null);

    await expect.poll(servers.processes, servers.patience).toEqual([]);
    await expect.poll(() => existsSync(path.join(env().dataDir, "mcp", id)), servers.patience).toBe(false);
  });

  test("It ends with Handrail, also when Handrail is killed", async () => {
    const script = ["--conditions=react-server", "--import", "tsx", "server/testing/processes/hold-mcp-program.ts"];
    const program = [installedNode(), installed.looking ?? "", "child", servers.marker];
    const holder = spawn(process.execPath, [...script, ...program], { stdio: ["ignore", "pipe", "inherit"] });
    await once(holder.stdout, "data");
    // Outer and inner Bubblewrap, the program, and the child that ignores SIGTERM.
    const inside = async () => (await servers.processes()).filter((line) => !line.includes("hold-mcp-program"));
    await expect.poll(async () => (await inside()).length, servers.patience).toBeGreaterThan(3);

    holder.kill("SIGKILL");

    await expect.poll(inside, servers.patience).toEqual([]);
  });

  test("Settings that are only tried leave no folder behind", async () => {
    const before = new Set(readdirSync(path.join(env().dataDir, "mcp")));
    expect(await testDraft(servers.admin(), boxed("tried", "looking", [], { network: "open" }), never)).toMatchObject({ ok: true });

    await expect.poll(() => readdirSync(path.join(env().dataDir, "mcp")).filter((name) => !before.has(name)), servers.patience).toEqual([]);
  });

  test("A program that is not there is a sentence that says where programs are looked for", async () => {
    const { ok, error } = await testDraft(servers.admin(), boxed("absent", "looking", [], { command: "no-such-program" }), never);

    expect(ok).toBe(false);
    expect(error).toBe("The command no-such-program was not found. Check its spelling, and that it is installed where Handrail runs.");
  });

  test("A working folder of Handrail's own is refused", async () => {
    const { error } = await testDraft(servers.admin(), boxed("inside", "looking", [], { cwd: process.cwd() }), never);

    expect(error).toContain("belongs to Handrail itself");
  });
});
