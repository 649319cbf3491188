import "server-only";
import { LRUCache } from "lru-cache";
import type { ActorRef, JsonObject } from "@/contracts/common";
import { AppError } from "@/server/platform/errors";
import type { CallOrigin, ToolCallContext, ToolResult } from "@/server/tools/define-tool";
import { callHere, callInScope } from "../calls/call-in-scope";
import { type CallRoute, callWithRetries, type UpstreamRequest } from "../calls/call-with-retries";
import type { ScopedSessions } from "../calls/scoped-sessions";
import type { ResourcePart } from "../content/read-resource";
import { recordLinks } from "../content/record-links";
import type { CallUpstream } from "../listing/describe-tools";
import type { UpstreamTool } from "../listing/list-upstream-tools";
import { findAsker } from "../session/find-asker";
import type { Session } from "../session/session";
import { personOwner, placeSession, type SessionOwner, sessionOwner } from "../session/session-place";
import type { McpServerRow } from "../settings/server-settings";
import { saveCures } from "./save-connection";

/** Runs a tool in a session of this replica, or names the replica that has the session. */
export type CallUpstreamHere = (...call: Parameters<CallUpstream>) => Promise<{ result: ToolResult } | { replica: string }>;

/** What calls do with a server, in its shared session or in that of their conversation, user or person. */
export type UpstreamCalls = {
  call: CallUpstream;
  callHere: CallUpstreamHere;
  readResource(uri: string, context: ToolCallContext): Promise<ResourcePart[]>;
  /** The server's prompts and resources as the asker sees them; null while the server is away. */
  contents(requestedBy: ActorRef): ServerContents | null;
};

export type ServerContents = Pick<Session, "listPrompts" | "listResources" | "readResource" | "getPrompt" | "complete">;

const contentMilliseconds = 30_000;

type CallsUse = {
  server: () => McpServerRow;
  find: (rawName: string) => UpstreamTool | undefined;
  shared: Pick<CallRoute, "session" | "replace">;
  /** Returns the open session that lists the tools. */
  current: () => Session | null;
  scoped: ScopedSessions;
};

/** Conversations whose last session is remembered, so that a call can say that it was lost since. */
const maxConversations = 1_000;

export function upstreamCalls({ server, find, shared, current, scoped }: CallsUse): UpstreamCalls {
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
  /** Names the owner of the call's session; null: the shared session. @throws AppError when the person who asks is not signed in */
  const ownerOf = async (origin: CallOrigin | undefined): Promise<SessionOwner | null> => {
    const { sessionScope, alias, personalSignIn } = server();
    const person = personalSignIn ? await findAsker(server(), origin) : null;
    return sessionOwner(sessionScope, alias, { origin, person });
  };
  const call: CallUpstream = async (tool, args, context) => {
    const request = requestOf(tool, args, context);
    const owner = await ownerOf(context.origin);
    return owner
      ? callInScope(server(), scoped, { tool, request, owner }, context)
      : callWithRetries({ alias: server().alias, ...shared, lastUsed }, request, context);
  };
  return {
    call,
    callHere: async (tool, args, context) => {
      const owner = await ownerOf(context.origin);
      if (!owner) return { result: await call(tool, args, context) };
      return callHere(server(), scoped, owner, requestOf(tool, args, context), context);
    },
    readResource: async (uri, context) => {
      const { alias, id } = server();
      const owner = await ownerOf(context.origin);
      if (!owner) return (await shared.session(context)).readResource(uri, context.signal);
      await scoped.settled(owner.key);
      if (!scoped.has(owner.key) && (await placeSession(id, owner)).kind === "there") {
        throw new AppError(
          "unavailable",
          `Another replica keeps the session of ${alias}, and its resources are readable only there. Use its tools.`,
        );
      }
      return scoped.use(owner, async (route) => (await route.session(context)).readResource(uri, context.signal));
    },
    contents: (requestedBy) => (server().personalSignIn ? contentsOf(requestedBy, { server, current, scoped }) : current()),
  };
}

/** The prompts and resources of a server where each person signs in, read in the asker's own session. */
function contentsOf(requestedBy: ActorRef, { server, current, scoped }: Pick<CallsUse, "server" | "current" | "scoped">): ServerContents {
  const use = async <T>(signal: AbortSignal, work: (session: Session) => Promise<T>): Promise<T> => {
    const person = await findAsker(server(), { requestedBy });
    if (person) return scoped.use(personOwner(person), async (route) => work(await route.session({ signal })));
    const session = current();
    if (!session) throw new AppError("unavailable", `${server().alias} is not connected. Try again later.`);
    return work(session);
  };
  const patience = () => AbortSignal.timeout(contentMilliseconds);
  return {
    listPrompts: () => use(patience(), (session) => session.listPrompts()),
    listResources: () => use(patience(), (session) => session.listResources()),
    readResource: (uri, signal) => use(signal, (session) => session.readResource(uri, signal)),
    getPrompt: (name, args, signal) => use(signal, (session) => session.getPrompt(name, args, signal)),
    complete: (params, signal) => use(signal, (session) => session.complete(params, signal)),
  };
}
