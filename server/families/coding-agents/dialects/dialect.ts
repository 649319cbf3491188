import type { Dialect as DialectName, GuardedCall } from "@/contracts/agents/coding-agents";
import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";

/** A report or a question of a client's hook. */
export type NativeEvent =
  /** Before a call: may it run? */
  | { kind: "ask"; callId: string | null; tool: string; input: JsonObject }
  /** The client is about to ask the person at the keyboard about a call that was asked before. */
  | { kind: "permission"; callId: string | null; tool: string; input: JsonObject }
  | ResultEvent
  | { kind: "start" | "end" | "notice" };

/** After a call: what it returned. `response` is the result in the client's own shape. */
export type ResultEvent = {
  kind: "result";
  callId: string | null;
  tool: string;
  input: JsonObject;
  status: "succeeded" | "failed";
  text: string;
  response: Json;
  durationMs?: number;
};

/** The session that a native body names. */
export type NativeSession = {
  session: string;
  cwd: string;
  agent?: { id: string; type?: string };
  /** The home folder, where the body shows it. */
  home?: string;
};

/** A decided call; `pending` and `ask` stand for one that nobody has decided. */
export type NativeDecision = Pick<GuardedCall, "verdict" | "reason" | "input"> & {
  /** Words for the model beside the decision, such as a change of its arguments by a person. */
  context?: string;
};

/** The answer to a client about a result; `masked` is the result in the client's own shape without its secrets. */
export type NativeReport = { masked: Json | null; text: string | null; context?: string };

/** The language in which one client asks its hooks. Every answer is exactly what that client accepts. */
export type Dialect = {
  client: DialectName;
  session: (body: JsonObject) => NativeSession | null;
  event: (body: JsonObject) => NativeEvent;
  answerAsk: (decision: NativeDecision, body: JsonObject) => JsonObject;
  answerPermission?: (decision: NativeDecision, body: JsonObject) => JsonObject;
  answerResult: (report: NativeReport, event: ResultEvent, body: JsonObject) => JsonObject;
  /** The client can ask the person at the keyboard itself, while the card is open. */
  asksAtDesk?: true;
  /** The client can end, and ask again about the same call when it is resumed. */
  defers?: true;
};

/** Nothing to say: the client goes on as it would without the hook. */
export const nothing: JsonObject = {};

export const textAt = (body: JsonObject, member: string): string | null => {
  const value = body[member];
  return typeof value === "string" && value !== "" ? value : null;
};

export const numberAt = (body: JsonObject, member: string): number | undefined => {
  const value = body[member];
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
};

export const objectAt = (body: JsonObject, member: string): JsonObject => {
  const value = body[member];
  return isJsonObject(value) ? value : {};
};

/** Members of results that hold their text, in the order in which people read them. */
const textMembers = ["stdout", "stderr", "output", "content", "text", "llmContent", "textResultForLlm", "result", "error", "message"];

/** Returns the text of a native result; a result without one of the usual members is its JSON. */
export function resultText(response: Json | undefined): string {
  if (typeof response === "string") return response;
  if (response === undefined || response === null) return "";
  if (Array.isArray(response)) return response.map(resultText).join("\n");
  if (!isJsonObject(response)) return String(response);
  const texts = textMembers.flatMap((member) => {
    const value = response[member];
    return typeof value === "string" && value !== "" ? [value] : Array.isArray(value) ? [resultText(value)] : [];
  });
  return texts.length > 0 ? texts.join("\n") : JSON.stringify(response);
}

/** Names a tool of an MCP server as Handrail does: `server__tool`. */
export const mcpName = (tool: string): string => (tool.startsWith("mcp__") ? tool.slice("mcp__".length) : tool);
