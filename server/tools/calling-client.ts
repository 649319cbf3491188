import { LRUCache } from "lru-cache";
import type { ActorRef, JsonObject } from "@/contracts/common";
import type { McpLogLevel } from "@/contracts/mcp/mcp-contents";
import { processWide } from "@/server/platform/process-wide";

/** The requests that a program can answer for the servers whose tools it calls. */
export const clientAnswers = ["form", "url", "sampling", "roots"] as const;
export type ClientAnswer = (typeof clientAnswers)[number];

/** A request of a server for the program that made the call. `key`: the server's own name for it. */
export type ClientRequest = { method: string; params: JsonObject; key?: string };

/** The outcome of a request to a program. `gone`: it left or cannot be reached, so nobody there has seen an answer through. */
export type ClientReply =
  | { kind: "answered"; result: JsonObject }
  | { kind: "refused"; code: number; message: string }
  | { kind: "expired"; seconds: number }
  | { kind: "gone" };

/** The progress of a call, in the numbers of its server. */
export type ProgressStep = { progress: number; total?: number };

/** A log message of a server. */
export type ServerLogLine = { level: McpLogLevel; logger?: string; data: unknown };

/** The program that made a call and still waits for it: an MCP client at /mcp. */
export type CallingClient = {
  name: string;
  answers: readonly ClientAnswer[];
  /** Lowest level of log messages that it asked for; null: none. */
  logLevel: McpLogLevel | null;
  request(request: ClientRequest, signal: AbortSignal): Promise<ClientReply>;
  log(line: ServerLogLine): void;
};

/** A calling client as its endpoint enters it. */
export type EnteredClient = CallingClient & {
  actor: Pick<ActorRef, "id">;
  progress(message: string, step?: ProgressStep): void;
  /** Called when the call has ended. */
  ended(): void;
};

const maxClients = 10_000;
const entered = () => processWide("callingClients", () => new LRUCache<string, EnteredClient>({ max: maxClients }));

/** Enters the client of a call by the call's id in the runtime. @returns a function that removes it */
export function enterCallingClient(runtimeId: string, client: EnteredClient): () => void {
  entered().set(runtimeId, client);
  return () => {
    if (entered().peek(runtimeId) === client) entered().delete(runtimeId);
  };
}

/** Finds the client that waits for a call of this actor; runtime ids alone are chosen by callers. */
export function findCallingClient(runtimeId: string, actorId: string): EnteredClient | null {
  const client = entered().get(runtimeId);
  return client?.actor.id === actorId ? client : null;
}
