import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { freePort } from "../e2e/product";
import { anchorPackages } from "./anchor-packages";
import { type ChildProgram, startProgram } from "./child-program";
import { Connection, requestBytes } from "./connection";
import { requestFor, type Target } from "./load";

export const stubProgram = path.resolve(import.meta.dirname, "stub-mcp-server.ts");
export const echoed = { text: "hello" };

/** An anchor that runs, or the reason why it does not: no number is better than a made-up one. */
export type Anchor = { target: Target; stop: () => Promise<void> };
export type MaybeAnchor = Anchor | { missing: string };

export const isThere = (anchor: MaybeAnchor): anchor is Anchor => "target" in anchor;

/** mcp-hub with the stub as its only server; measured through its REST call, which is what its own clients use. */
export function startMcpHub(folder: string, upstream: { url: string } | "stdio"): Promise<MaybeAnchor> {
  return orReason(async () => {
    const home = path.join(folder, `mcp-hub-${upstream === "stdio" ? "stdio" : "http"}`);
    await mkdir(home, { recursive: true });
    const config = path.join(home, "config.json");
    const stub = upstream === "stdio" ? { command: process.execPath, args: [stubProgram] } : { url: upstream.url };
    await writeFile(config, JSON.stringify({ mcpServers: { stub } }));
    const port = await freePort();
    const program = startProgram(
      [path.join(await anchorPackages(), "mcp-hub/dist/cli.js"), "--port", String(port), "--config", config],
      // Its state, its log and its list of instances stay out of the home of whoever runs the bench.
      { cwd: home, env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_DATA_HOME: home } },
    );
    return started(program, async () => {
      await program.says(/1\/1 servers started successfully/);
      const body = { server_name: "stub", tool: "echo", arguments: echoed };
      const request = requestBytes(port, { method: "POST", path: "/api/servers/tools", body });
      return { port, expects: '"text":"hello"', requestOf: () => request };
    });
  });
}

/** mcp-proxy in front of the stub over stdio, the one upstream that it knows; each caller has a session of its own. */
export function startMcpProxy(callers: number): Promise<MaybeAnchor> {
  return orReason(async () => {
    const port = await freePort();
    const bin = path.join(await anchorPackages(), "mcp-proxy/dist/bin/mcp-proxy.mjs");
    // Without its store of events, which replays answers and only costs here.
    const options = ["--host", "127.0.0.1", "--port", String(port), "--server", "stream", "--no-eventStore"];
    const program = startProgram([bin, ...options, "--", process.execPath, stubProgram]);
    return started(program, async () => {
      await program.says(/starting server on port/);
      const requests: Buffer[] = [];
      for (let caller = 0; caller < callers; caller++) requests.push(callRequest(port, await openSession(port)));
      return { port, expects: '"text":"hello"', requestOf: requestFor(requests) };
    });
  });
}

/** The stub itself, asked directly over streamable HTTP. */
export async function startStub(): Promise<Anchor & { url: string }> {
  const program = startProgram([stubProgram, "http"]);
  const [, port] = await program.says(/listening on (\d+)/);
  const request = callRequest(Number(port), null);
  const target = { port: Number(port), expects: "hello", requestOf: () => request };
  return { url: `http://127.0.0.1:${port}/mcp`, target, stop: program.stop };
}

const accept = "application/json, text/event-stream";

function callRequest(port: number, session: string | null): Buffer {
  const body = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "echo", arguments: echoed } };
  const headers = { accept, "mcp-protocol-version": "2025-06-18", ...(session ? { "mcp-session-id": session } : {}) };
  return requestBytes(port, { method: "POST", path: "/mcp", headers, body });
}

async function openSession(port: number): Promise<string> {
  const connection = await Connection.openSoon(port);
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } };
  const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params };
  const { headers } = await connection.send(requestBytes(port, { method: "POST", path: "/mcp", headers: { accept }, body: hello }));
  const session = /\r\nmcp-session-id: *(\S+)/i.exec(headers)?.[1];
  if (!session) throw new Error(`mcp-proxy opened no session: ${headers}`);
  const body = { jsonrpc: "2.0", method: "notifications/initialized" };
  await connection.send(requestBytes(port, { method: "POST", path: "/mcp", headers: { accept, "mcp-session-id": session }, body }));
  connection.close();
  return session;
}

async function started(program: ChildProgram, targetOf: () => Promise<Target>): Promise<Anchor> {
  try {
    return { target: await targetOf(), stop: program.stop };
  } catch (error) {
    await program.stop();
    throw error;
  }
}

async function orReason(start: () => Promise<Anchor>): Promise<MaybeAnchor> {
  try {
    return await start();
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}
