import "server-only";
import { setTimeout as wait } from "node:timers/promises";
import {
  JSONRPC_VERSION,
  type JSONRPCMessage,
  ProtocolErrorCode,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";
import { type AccessRefusal, serverAccess } from "../authorization/authorized-fetch";
import { serverProgram } from "../program/server-program";
import { assertDigest } from "../settings/check-expectations";
import { maskArguments, maskUrl, secretsIn } from "../settings/mask-settings";
import { resolveArguments, resolveUrl } from "../settings/sealed-settings";
import { resolveReferences } from "../settings/secret-values";
import type { ServerSettings } from "../settings/server-settings";
import { explainBodies } from "./answer-fault";
import { boundedFetch } from "./bounded-fetch";
import { credentialsIn, hideCredentials } from "./hide-credentials";
import { NotificationGate } from "./notification-gate";
import { repairAnswer } from "./repair-answer";
import { keepError } from "./sent-error";
import { maxMessageBytes, oversizedSentence, StdioTransport } from "./stdio-transport";

/** A transport to a server that is not connected yet. */
export type ServerTransport = {
  transport: Transport;
  /** The same transport when the server is a program, else null. */
  stdio: StdioTransport | null;
  /** Follows the progress of a call by its token. @returns a function that ends it */
  follow: NotificationGate["follow"];
  /** Values that must be removed from every shown text. */
  secrets: string[];
  /** Returns why a server over HTTP refused access and a person could sign in; null otherwise. */
  refusal: () => Promise<AccessRefusal | null>;
  /** Ends the session on a server over HTTP, so that the server can forget it. */
  release: () => Promise<void>;
};

/** Receives the parameters of a server's log messages. */
type OnLog = (params: unknown) => void;

const farewellMilliseconds = 1_000;

/** @throws AppError for settings that cannot work, such as a reference to a variable that is not set. */
export async function makeServerTransport(settings: ServerSettings, onLog: OnLog = () => {}): Promise<ServerTransport> {
  return settings.transport === "stdio" ? makeStdioTransport(settings, onLog) : makeHttpTransport(settings, onLog);
}

async function makeStdioTransport(settings: ServerSettings, onLog: OnLog): Promise<ServerTransport> {
  const { mcpVariables } = env();
  const resolved = resolveReferences("env", settings.env, process.env, mcpVariables);
  const args = resolveArguments(settings.args, process.env, mcpVariables);
  const masked = maskArguments(settings.args);
  await assertDigest({ ...settings, args });
  const stdio = new StdioTransport(await serverProgram({ ...settings, args }, resolved), onLog);
  const inArguments = args.flatMap((arg, index) => secretsIn(arg, masked[index] ?? ""));
  const credentials = [...credentialsIn(resolved), ...inArguments];
  changeIncoming(stdio, (message) => keepError(hideCredentials(message, credentials)));
  return {
    transport: stdio,
    stdio,
    follow: (token, listener) => stdio.followProgress(token, listener),
    secrets: [...Object.values(resolved), ...inArguments],
    refusal: async () => null,
    release: async () => {},
  };
}

/**
 * Makes the transport of a server over HTTP. Private addresses are allowed, unlike in tools that fetch, because admins add
 * servers of their own network. A server's answer never chooses an address: redirects to another origin are refused.
 */
function makeHttpTransport(settings: ServerSettings, onLog: OnLog): ServerTransport {
  const sent = resolveReferences("headers", settings.headers, process.env, env().mcpVariables);
  // The header is the workspace's credential, which no person's call carries.
  const headers = settings.person ? withoutAuthorization(sent) : sent;
  const address = settings.url && resolveUrl(settings.url, process.env, env().mcpVariables);
  const url = address ? new URL(address) : null;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") throw new AppError("invalid", "The server needs an http or https URL.");
  const loseAnswer = (id: number, message: string) =>
    transport.onmessage?.({ jsonrpc: JSONRPC_VERSION, id, error: { code: ProtocolErrorCode.InternalError, message } });
  const gate = new NotificationGate((message) => transport.onmessage?.(message), onLog);
  const access = serverAccess(settings, url);
  const options = {
    requestInit: { headers },
    fetch: access.wrap(boundedFetch({ maxBytes: maxMessageBytes, oversizedSentence, onAnswerLost: loseAnswer, gate })),
  };
  const streamable = settings.transport === "sse" ? null : new StreamableHTTPClientTransport(url, options);
  const transport: Transport = streamable ?? new SSEClientTransport(url, options);
  const inAddress = address ? secretsIn(address, maskUrl(settings.url ?? "")) : [];
  const credentials = [...credentialsIn(headers), ...inAddress];
  explainBodies(transport);
  changeIncoming(transport, (message) => keepError(hideCredentials(repairAnswer(message), credentials)));
  const endSession = async () => streamable?.terminateSession().catch(() => {});
  return {
    transport,
    stdio: null,
    follow: (token, listener) => gate.follow(token, listener),
    secrets: [...Object.values(headers), ...inAddress],
    refusal: access.refusal,
    release: () => {
      gate.stop();
      return Promise.race([endSession(), wait(farewellMilliseconds, undefined, { ref: false })]);
    },
  };
}

const withoutAuthorization = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "authorization"));

/** Changes messages before the client's listener sees them. The SDK's transports have no other place for it. */
function changeIncoming(transport: Transport, change: (message: JSONRPCMessage) => JSONRPCMessage): void {
  let listener: Transport["onmessage"];
  Object.defineProperty(transport, "onmessage", {
    get: () => listener,
    set: (next: Transport["onmessage"]) => {
      listener = next && ((message, extra) => next(change(message), extra));
    },
  });
}
