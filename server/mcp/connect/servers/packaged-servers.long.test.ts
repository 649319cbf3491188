import { once } from "node:events";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { homedir, hostname, tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { McpServerDraft, McpServerPatch } from "@/contracts/mcp/mcp-servers";
import { installedNode } from "@/scripts/install-program";
import { authorize } from "@/server/testing/builders";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { mcpConnections } from "../connections/connections";
import { createServer as addServer } from "./create-server";
import { getServer } from "./get-server";
import { testDraft } from "./test-draft";
import { patchServer } from "./update-server";

const servers = useConnectedServers({ sandbox: "auto" });
const never = new AbortController().signal;

/** A whole MCP server without packages: `ready()` runs before it answers, and `answer(args)` makes the text of its one tool. */
const protocol = `
import { createInterface } from "node:readline";
export async function serve({ ready = async () => {}, answer = async () => "answered" } = {}) {
  await ready();
  const send = (id, part) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...part }) + "\\n");
  const results = {
    initialize: async ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "packaged", version: "1" } }),
    "tools/list": async () => ({ tools: [{ name: "ask", inputSchema: { type: "object" } }] }),
    "tools/call": async ({ arguments: args }) =>
      answer(args).then(
        (text) => ({ content: [{ type: "text", text }] }),
        (error) => {
          if (args?.strict) throw error;
          return { isError: true, content: [{ type: "text", text: error.message }] };
        },
      ),
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    if (results[method]) await results[method](params).then((result) => send(id, { result }), (error) => send(id, { error: { code: -32603, message: error.message } }));
    else send(id, { error: { code: -32601, message: "unknown" } });
  }
}
`;

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "handrail-packaged-")));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes a package as npm installs it: the program below `dist`, beside the dependency that holds the protocol. */
async function packageOf(name: string, program: string): Promise<string> {
  const at = path.join(folder, name);
  await mkdir(path.join(at, "dist"), { recursive: true });
  await mkdir(path.join(at, "node_modules/the-protocol"), { recursive: true });
  await writeFile(path.join(at, "package.json"), JSON.stringify({ name, type: "module" }));
  await writeFile(
    path.join(at, "node_modules/the-protocol/package.json"),
    JSON.stringify({ name: "the-protocol", type: "module", exports: "./index.js" }),
  );
  await writeFile(path.join(at, "node_modules/the-protocol/index.js"), protocol);
  await writeFile(path.join(at, "dist/lib.js"), 'export { serve } from "the-protocol";');
  await writeFile(path.join(at, "dist/index.js"), program, { mode: 0o755 });
  return path.join(at, "dist/index.js");
}

const draft = (alias: string, args: string[], rest: Partial<McpServerDraft> = {}) =>
  servers.draft(alias, args, { command: installedNode(), network: "none", ...rest });
const owner = () => ({ ...authorize(servers.house().admin, "mcp:write"), role: "owner" as const });
const tried = (settings: McpServerDraft) => testDraft(owner(), settings, never);

describe("A server as its README writes it", () => {
  test("starts with its package and the dependencies of it, and can change none of them", async () => {
    await servers.start();
    const program = await packageOf(
      "readme",
      `import { appendFileSync } from "node:fs";
       import { serve } from "./lib.js";
       const at = new URL("./lib.js", import.meta.url);
       await serve({ answer: async () => { try { appendFileSync(at, "x"); return "changed"; } catch (error) { return error.code; } } });`,
    );
    const { id } = await servers.connectedAs(draft("readme", [program]));
    expect(await servers.run(id, "readme__ask")).toBe("EROFS");
  });

  test("starts from a workspace whose packages share their dependencies, and through npm's links", async () => {
    await servers.start();
    const program = await packageOf("workspace/packages/one", 'import { serve } from "the-shared";\nawait serve();');
    const root = path.join(folder, "workspace");
    await writeFile(path.join(root, "package.json"), JSON.stringify({ workspaces: ["packages/*"] }));
    await mkdir(path.join(root, "node_modules/the-shared"), { recursive: true });
    await writeFile(path.join(root, "node_modules/the-shared/package.json"), JSON.stringify({ type: "module", exports: "./index.js" }));
    await writeFile(path.join(root, "node_modules/the-shared/index.js"), protocol);
    await mkdir(path.join(root, "node_modules/.bin"), { recursive: true });
    await symlink("../../packages/one/dist/index.js", path.join(root, "node_modules/.bin/one"));

    expect(await tried(draft("shared", [program]))).toMatchObject({ ok: true });
    expect(await tried(draft("linked", [path.join(root, "node_modules/.bin/one")]))).toMatchObject({ ok: true });
  });

  test("is found in the machine's PATH where that leads outside of /usr, with what it starts from there", async () => {
    const programs = path.join(folder, "bin");
    await mkdir(programs);
    await writeFile(path.join(programs, "helper"), `#!/bin/sh\nexec ${installedNode()} "$@"\n`, { mode: 0o755 });
    await writeFile(path.join(programs, "found-in-path"), '#!/bin/sh\nexec helper "$@"\n', { mode: 0o755 });
    const program = await packageOf("by-path", 'import { serve } from "./lib.js";\nawait serve();');
    const before = process.env.PATH;
    process.env.PATH = `${programs}:${before}`;
    try {
      expect(await tried(draft("by-path", [program], { command: "found-in-path", args: [program, installedNode()] }))).toMatchObject({
        ok: true,
      });
    } finally {
      process.env.PATH = before;
    }
  });
});

describe("What the sandbox keeps from a server's program is said with its cure", () => {
  test("a file: the start fails with the file's name, and succeeds when the server may read it", async () => {
    const settings = path.join(folder, "elsewhere.json");
    await writeFile(settings, "{}");
    const program = await packageOf(
      "reads",
      `import { readFileSync } from "node:fs";
       import { serve } from "./lib.js";
       readFileSync(process.env.SETTINGS.slice(5));
       await serve();`,
    );
    const reads = draft("reads", [program], { env: { SETTINGS: `file:${settings}` } });
    const failed = await tried(reads);
    expect(failed).toMatchObject({ ok: false, cures: [{ kind: "read", path: settings }] });
    expect(failed.error).toContain(`The sandbox does not show it ${settings}.`);
    expect(await tried({ ...reads, readablePaths: [settings] })).toMatchObject({ ok: true, cures: [] });
  });

  test("a file of the user's home is found in the program's own HOME once the server may read it", async () => {
    const home = await mkdtemp(path.join(homedir(), ".handrail-test-"));
    try {
      const name = path.relative(homedir(), home);
      await writeFile(path.join(home, "config"), "{}");
      const program = await packageOf(
        "homely",
        `import { readFileSync } from "node:fs";
         import { serve } from "./lib.js";
         readFileSync(process.env.HOME + "/${name}/config");
         await serve();`,
      );
      const homely = draft("homely", [program]);
      const cure = `~/${name}/config`;
      expect(await tried(homely)).toMatchObject({ ok: false, cures: [{ kind: "read", path: cure, namedBy: "output" }] });
      expect(await tried({ ...homely, readablePaths: [cure] })).toMatchObject({ ok: true });
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });

  test("a file that a call needs: the model and the server's row say so, and the tool works afterwards", async () => {
    await servers.start();
    const data = path.join(folder, "data.txt");
    await writeFile(data, "of the machine");
    const program = await packageOf(
      "late",
      `import { readFile } from "node:fs/promises";
       import { serve } from "./lib.js";
       await serve({ answer: async ({ file }) => readFile(file, "utf8") });`,
    );
    const { id } = await servers.connectedAs(draft("late", [program]));
    expect(await servers.run(id, "late__ask", { file: data })).toContain(`The sandbox does not show it ${data}.`);
    const refused = await servers.run(id, "late__ask", { file: data, strict: true });
    expect(refused, "as an error of the protocol").toContain(`The sandbox does not show it ${data}.`);
    const { cures, version } = await getServer(authorize(servers.house().viewer, "tools:read"), id);
    expect(cures).toEqual([{ kind: "read", path: data, namedBy: "output" }]);
    await allow(id, { readablePaths: [data] }, version);
    expect(await servers.run(id, "late__ask", { file: data })).toBe("of the machine");
  });

  test("several files, one of them at the end of its program: the row keeps all of them after it is started again", async () => {
    await servers.start();
    const files = ["one.txt", "two.txt"].map((name) => path.join(folder, name));
    for (const file of files) await writeFile(file, "of the machine");
    const program = await packageOf(
      "dies",
      `import { readFileSync } from "node:fs";
       import { readFile } from "node:fs/promises";
       import { serve } from "./lib.js";
       const die = (file) => { try { readFileSync(file); } catch (error) { console.error(error.message); process.exit(3); } };
       await serve({ answer: async ({ file, dies }) => (dies ? die(file) : readFile(file, "utf8")) });`,
    );
    const { id } = await servers.connectedAs(draft("dies", [program]));
    await servers.run(id, "dies__ask", { file: files[0] });
    await expect(servers.run(id, "dies__ask", { file: files[1], dies: true })).rejects.toThrow(`does not show it ${files[1]}`);
    await servers.statusOf(id, "connected");
    const cures = async () => (await getServer(authorize(servers.house().viewer, "tools:read"), id)).cures;
    await expect
      .poll(cures, servers.patience)
      .toEqual([files[1], files[0]].map((file) => ({ kind: "read", path: file, namedBy: "output" })));
    const { version } = await getServer(authorize(servers.house().viewer, "tools:read"), id);
    await allow(id, { readablePaths: [files[1] ?? ""] }, version);
    expect(await cures()).toEqual([{ kind: "read", path: files[0], namedBy: "output" }]);
  });

  test("a socket of the machine is cured by the machine alone, which only an owner opens", async () => {
    await servers.start();
    const socket = path.join(folder, "service.sock");
    const service = createServer((client) => client.end("from the service")).listen(socket);
    await once(service, "listening");
    const program = await packageOf(
      "outside",
      `import { connect } from "node:net";
       import { serve } from "./lib.js";
       const text = async () => { let all = ""; for await (const part of connect("${socket}").setEncoding("utf8")) all += part; return all; };
       await serve({ ready: text, answer: text });`,
    );
    const boxed = draft("outside", [program]);
    expect(await tried(boxed)).toMatchObject({ ok: false, cures: [{ kind: "outside" }] });
    const opened = { ...boxed, outsideSandbox: true };
    await expect(addServer({ ...owner(), role: "admin" }, opened)).rejects.toMatchObject({
      code: "forbidden",
      message: expect.stringContaining("only an owner"),
    });
    const { id } = await addServer(owner(), opened);
    expect(await servers.statusOf(id, "connected")).toMatchObject({ unconfined: expect.stringContaining("an owner lets it run outside") });
    expect(await servers.run(id, "outside__ask")).toBe("from the service");
    service.close();
  });
});

describe("A server reaches a port of the machine, or of another, by any protocol once it may", () => {
  const open = new Set<Socket>();
  let echo: Server;
  afterEach(async () => {
    for (const socket of open) socket.destroy();
    echo.close();
  });
  const listen = async () => {
    echo = createServer((socket) => {
      open.add(socket);
      socket.pipe(socket);
    }).listen(0, "0.0.0.0");
    await once(echo, "listening");
    return (echo.address() as { port: number }).port;
  };
  const program = (host: string, port: number) =>
    packageOf(
      `to-${port}`,
      `import { connect } from "node:net";
       import { serve } from "./lib.js";
       const said = () => new Promise((resolve, reject) => {
         const socket = connect(${port}, "${host}", () => socket.write("no proxy knows this"));
         socket.on("error", reject).once("data", (bytes) => { resolve(String(bytes)); socket.end(); });
       });
       await serve({ ready: said, answer: said });`,
    );

  test("localhost: the refused connection names its cure, which leads there for two servers at once", async () => {
    await servers.start();
    const port = await listen();
    const settings = draft("local", [await program("127.0.0.1", port)]);
    const failed = await tried(settings);
    expect(failed).toMatchObject({ ok: false, cures: [{ kind: "reach", host: `localhost:${port}` }] });
    const reaching = { network: "hosts" as const, allowedHosts: [`localhost:${port}`] };
    const one = await servers.connectedAs({ ...settings, ...reaching });
    expect(await tried({ ...settings, ...reaching })).toMatchObject({ ok: true });
    expect(await servers.run(one.id, "local__ask")).toBe("no proxy knows this");
  });

  test("a host by its name, which leads nowhere on another port", async () => {
    const port = await listen();
    const settings = draft("named", [await program(hostname(), port)], { network: "hosts", allowedHosts: [`${hostname()}:${port}`] });
    const seen = await tried(settings);
    expect([seen.error, seen.stderr]).toEqual([null, null]);
    expect(await tried({ ...settings, allowedHosts: [`${hostname()}:${port + 1}`] })).toMatchObject({ ok: false });
  });
});

test("Why a server ended is kept, with its last output, on the call, the row and the log after it is connected again", async () => {
  await servers.start();
  const program = await packageOf(
    "ends",
    `import { serve } from "./lib.js";
     await serve({ answer: async () => { console.error("Fatal: the licence has ended"); process.exit(3); } });`,
  );
  const { id } = await servers.connectedAs(draft("ends", [program]));
  await expect(servers.run(id, "ends__ask")).rejects.toThrow(/exit code 3.*It wrote last: Fatal: the licence has ended\. Whether/s);
  const lastEnding = expect.objectContaining({ error: "The server stopped (exit code 3).", stderr: "Fatal: the licence has ended" });
  const reader = authorize(servers.house().viewer, "tools:read");
  await expect.poll(() => getServer(reader, id), servers.patience).toMatchObject({ status: "connected", lastError: null, lastEnding });
  expect(mcpConnections().find(id)?.log.newest()).toContainEqual(
    expect.objectContaining({ logger: "handrail", text: expect.stringContaining("the licence has ended") }),
  );
});

async function allow(id: string, patch: McpServerPatch, version: number): Promise<void> {
  await patchServer(owner(), id, patch, version);
  await servers.statusOf(id, "connected");
}
