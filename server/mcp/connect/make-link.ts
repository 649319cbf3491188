import "server-only";
import { stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import {
  JSONRPC_VERSION,
  ProtocolErrorCode,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { AppError } from "@/server/platform/errors";
import { boundedFetch } from "./bounded-fetch";
import { childEnvironment } from "./child-environment";
import { resolveReferences } from "./secret-values";
import type { ServerSettings } from "./server-settings";
import { maxMessageBytes, oversizedSentence, StdioTransport } from "./stdio-transport";

/** A road to a server that was not taken yet. */
export type Link = {
  transport: Transport;
  /** The same transport, where a program is at its other end. */
  stdio: StdioTransport | null;
  /** Values that must not stand in anything that is shown. */
  secrets: string[];
  /** Tells a server that keeps something for us that it may forget it. */
  farewell: () => Promise<void>;
};

const farewellMilliseconds = 1_000;

/** @throws AppError for settings that cannot work as they are, such as a variable that is not set. */
export async function makeLink(settings: ServerSettings): Promise<Link> {
  return settings.transport === "stdio" ? programLink(settings) : httpLink(settings);
}

async function programLink({ command, args, cwd, env }: ServerSettings): Promise<Link> {
  const resolved = resolveReferences("env", env, process.env);
  if (!command) throw new AppError("invalid", "There is no command to start the server with.");
  const folder = cwd ? await stat(cwd).catch(() => null) : null;
  if (cwd && !folder?.isDirectory()) throw new AppError("invalid", `The working folder ${cwd} does not exist.`);
  const stdio = new StdioTransport({ command, args, cwd, env: childEnvironment(resolved, process.env) });
  return { transport: stdio, stdio, secrets: Object.values(resolved), farewell: async () => {} };
}

/**
 * Private addresses are allowed here, unlike in tools that fetch: servers of one's own on one's own network are what
 * this is for, and whoever may add a server may start programs on this host anyway. What a server answers never
 * chooses an address: redirects that leave its origin are refused.
 */
function httpLink(settings: ServerSettings): Link {
  const headers = resolveReferences("headers", settings.headers, process.env);
  const url = settings.url ? new URL(settings.url) : null;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") throw new AppError("invalid", "The server needs an http or https URL.");
  const loseAnswer = (id: number, message: string) =>
    transport.onmessage?.({ jsonrpc: JSONRPC_VERSION, id, error: { code: ProtocolErrorCode.InternalError, message } });
  const options = {
    requestInit: { headers },
    fetch: boundedFetch({ maxBytes: maxMessageBytes, oversizedSentence, onAnswerLost: loseAnswer }),
  };
  const streamable = settings.transport === "sse" ? null : new StreamableHTTPClientTransport(url, options);
  const transport: Transport = streamable ?? new SSEClientTransport(url, options);
  const endSession = async () => streamable?.terminateSession().catch(() => {});
  return {
    transport,
    stdio: null,
    secrets: Object.values(headers),
    farewell: () => Promise.race([endSession(), wait(farewellMilliseconds, undefined, { ref: false })]),
  };
}
