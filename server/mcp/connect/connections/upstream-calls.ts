import "server-only";
import { LRUCache } from "lru-cache";
import type { JsonObject } from "@/contracts/common";
import { AppError } from "@/server/platform/errors";
import type { ToolCallContext, ToolResult } from "@/server/tools/define-tool";
import { callHere, callInScope } from "../calls/call-in-scope";
import { type CallRoute, callWithRetries, type UpstreamRequest } from "../calls/call-with-retries";
import type { ScopedSessions } from "../calls/scoped-sessions";
import type { ResourcePart } from "../content/read-resource";
import { recordLinks } from "../content/record-links";
import type { CallUpstream } from "../listing/describe-tools";
import type { UpstreamTool } from "../listing/list-upstream-tools";
import type { Session } from "../session/session";
import { placeSession, sessionOwner } from "../session/session-place";
import type { McpServerRow } from "../settings/server-settings";
import { saveCures } from "./save-connection";

/** Runs a tool in a session of this replica, or names the replica that has the session. */
export type CallUpstreamHere = (...call: Parameters<CallUpstream>) => Promise<{ result: ToolResult } | { replica: string }>;

/** What calls do with a server, in its shared session or in that of their conversation or user. */
export type UpstreamCalls = {
  call: CallUpstream;
  callHere: CallUpstreamHere;
  readResource(uri: string, context: ToolCallContext): Promise<ResourcePart[]>;
};

type CallsUse = {
  server: () => McpServerRow;
  find: (rawName: string) => UpstreamTool | undefined;
  shared: Pick<CallRoute, "session" | "replace">;
  scoped: ScopedSessions;
};

/** Conversations whose last session is remembered, so that a call can say that it was lost since. */
const maxConversations = 1_000;

export function upstreamCalls({ server, find, shared, scoped }: CallsUse): UpstreamCalls {
  const lastUsed = new LRUCache<string, Session>({ max: maxConversations });
  const requestOf: (...call: Parameters<CallUpstream>) => UpstreamRequest = (tool, args, { origin }) => {
    const { outputSchema, execution } = find(tool.rawName) ?? {};
    const onLinks = origin && ((uris: string[]) => recordLinks({ conversationId: origin.conversationId, mcpServerId: server().id }, uris));
    return {
      ...tool,
      args,
      questions: server().questions,
      asTask: execution?.taskSupport === "required",
      ...(outputSchema ? { outputSchema: outputSchema as JsonObject } : {}),
      ...(onLinks ? { onLinks } : {}),
      onCures: (cures) => saveCures(server(), cures),
    };
  };
  const call: CallUpstream = (tool, args, context) => {
    const request = requestOf(tool, args, context);
    const { alias, sessionScope } = server();
    return sessionScope === "shared"
      ? callWithRetries({ alias, ...shared, lastUsed }, request, context)
      : callInScope(server(), scoped, { tool, request }, context);
  };
  return {
    call,
    callHere: async (tool, args, context) => {
      const { sessionScope, alias } = server();
      if (sessionScope === "shared") return { result: await call(tool, args, context) };
      const owner = sessionOwner(sessionScope, alias, context.origin);
      return callHere(server(), scoped, owner, requestOf(tool, args, context), context);
    },
    readResource: async (uri, context) => {
      const { sessionScope, alias, id } = server();
      if (sessionScope === "shared") return (await shared.session(context)).readResource(uri, context.signal);
      const owner = sessionOwner(sessionScope, alias, context.origin);
      await scoped.settled(owner.key);
      if (!scoped.has(owner.key) && (await placeSession(id, owner)).kind === "there") {
        throw new AppError(
          "unavailable",
          `Another replica keeps the session of ${alias}, and its resources are readable only there. Use its tools.`,
        );
      }
      return scoped.use(owner.key, async (route) => (await route.session(context)).readResource(uri, context.signal));
    },
  };
}
