import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { mcpServers, tools } from "@/db/schema";
import { connectMcpServers } from "@/server/mcp/connect/connections/connect-servers";
import { createServer } from "@/server/mcp/connect/servers/create-server";
import { getServer } from "@/server/mcp/connect/servers/get-server";
import { db } from "@/server/platform/database/database";
import { isAppError } from "@/server/platform/errors";
import { listenForSignals } from "@/server/platform/signals/bus";
import { type AnyTool, isRichResult, type ToolCallContext } from "@/server/tools/define-tool";
import { liveTool } from "@/server/tools/live-tools";
import { authorize, type BuiltWorkspace, buildWorkspace } from "../builders";
import { runTool } from "../run-tool";
import { useTestDatabase } from "../test-database";

/** Path of an MCP server whose misbehaviour its first argument selects. */
export const hostile = path.resolve("server/testing/mcp/hostile-mcp-server.mjs");

/** Sets up a workspace with really connected MCP servers, and helpers for tests. Each test starts without servers. */
export function useConnectedServers({ sandbox = "off" }: { sandbox?: "auto" | "off" } = {}) {
  // The programs of most tests lie in the checkout, which the sandbox hides.
  process.env.HANDRAIL_SANDBOX = sandbox;
  useTestDatabase();
  const marker = `handrail-connections-${process.pid}`;
  const patience = { timeout: 25_000, interval: 25 };
  let built: BuiltWorkspace;
  let folder: string;
  let ending: () => Promise<void> = async () => {};
  let unlisten: () => Promise<void>;
  beforeAll(async () => {
    built = await buildWorkspace();
    folder = await mkdtemp(path.join(tmpdir(), "handrail-mcp-"));
    unlisten = await listenForSignals();
  });
  const stop = async () => {
    await ending();
    ending = async () => {};
  };
  afterEach(async () => {
    await stop();
    await db().delete(mcpServers);
  });
  afterAll(async () => {
    await unlisten();
    await rm(folder, { recursive: true, force: true });
  });

  const admin = () => authorize(built.admin, "mcp:write");
  const reader = () => authorize(built.viewer, "tools:read");
  const draft = (alias: string, args: string[], rest: Partial<McpServerDraft> = {}) =>
    McpServerDraft.parse({
      alias,
      transport: "stdio",
      command: process.execPath,
      args,
      connectTimeoutSeconds: 20,
      trustHints: true,
      ...rest,
    });

  async function statusOf(id: string, status: string) {
    await expect.poll(async () => (await getServer(reader(), id)).status, patience).toBe(status);
    return getServer(reader(), id);
  }

  const rowsOf = async (id: string) => db().select().from(tools).where(eq(tools.mcpServerId, id)).orderBy(tools.name);

  async function connectedAs(settings: McpServerDraft) {
    const { id } = await createServer(admin(), settings);
    return statusOf(id, "connected");
  }

  function tool(serverId: string, name: string): AnyTool {
    const found = liveTool(built.workspace.id, { name, sourceRef: serverId });
    if (!found) throw new Error(`${name} is not there to run`);
    return found;
  }

  async function run(serverId: string, name: string, args = {}, rest: Partial<ToolCallContext> = {}): Promise<string> {
    const context = { signal: AbortSignal.timeout(15_000), timeoutMs: 15_000, ...rest };
    const result = await runTool(tool(serverId, name), args, context);
    return isRichResult(result) ? result.text : String(result);
  }

  return {
    admin,
    reader,
    draft,
    statusOf,
    rowsOf,
    connectedAs,
    connected: (alias: string, args: string[], rest: Partial<McpServerDraft> = {}) => connectedAs(draft(alias, args, rest)),
    tool,
    run,
    /** Returns the message of the refusal. */
    refusalOf: async (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => "nothing was refused",
        (error) => (isAppError(error) ? error.message : Promise.reject(error)),
      ),
    /** Returns the living programs with the marker among their arguments. */
    processes: async (): Promise<string[]> => {
      const { stdout } = await promisify(execFile)("ps", ["-eo", "pid,stat,args"]);
      return stdout.split("\n").filter((line) => line.includes(marker) && !/^\s*\d+\s+Z/.test(line) && !line.includes("ps -eo"));
    },
    start: async () => {
      ending = await connectMcpServers();
    },
    stop,
    house: () => built,
    folder: () => folder,
    marker,
    patience,
  };
}
