import "server-only";
import type { codingAgentEndpoints, GuardedCall } from "@/contracts/agents/coding-agents";
import type { JsonObject } from "@/contracts/common";
import { MachinePath } from "@/contracts/tools/machine";
import type { Turn } from "@/contracts/turns/turns";
import type { Authorized } from "@/server/auth/actor";
import type { Handled } from "@/server/endpoints/answer";
import { AppError, isAppError } from "@/server/platform/errors";
import { shutdownSignal } from "@/server/platform/shutdown";
import { findRepositoryPolicy } from "@/server/policy/repository-policies";
import { ResultMask } from "@/server/secrets/mask-result";
import { cancelClientCall, endUnreported, reportClientResult } from "@/server/turns/client/end-client-call";
import { findChangedTurn, findClientTurn } from "@/server/turns/client/find-client-turn";
import { type ClientCall, digestOfClientCall, isDecided } from "@/server/turns/client/submit-client-call";
import { readTurn } from "@/server/turns/read/load-turn";
import { type AskedCall, type AskedNatively, askCall, toClientCall } from "./ask-call";
import type { Dialect, NativeDecision, NativeEvent, ResultEvent } from "./dialects/dialect";
import { dialectOf } from "./dialects/dialects";
import { heldAnswer } from "./held-answer";
import { answerOfCall, wordsOfApprovers } from "./present-call";
import { endSession, noteBypass, openSession, type SessionFacts } from "./sessions";
import { waitWhileAllowed } from "./wait-while-allowed";
import { withdrawWhenGone } from "./withdraw-when-gone";

type Hook = Handled<(typeof codingAgentEndpoints)["hook"]>;
type Asking = { actor: Authorized<"guard:ask">; dialect: Dialect; hook: Hook; facts: SessionFacts; asked: AskedNatively };

/** Seconds by which people's time ends before the client gives up its hook, so that a late answer is never taken for a yes. */
const marginSeconds = 60;

/** Time that people have, below the time after which the client gives up. */
export const approvalSecondsFor = (timeout: number): number =>
  Math.max(10, timeout > 3 * marginSeconds ? timeout - marginSeconds : Math.floor(timeout * 0.6));

/** Answers a hook of a client in its own language. @throws AppError `invalid` for a body that names no session or folder */
export async function answerHook(hook: Hook): Promise<Response> {
  const { actor, params, body } = hook;
  const dialect = dialectOf[params.client];
  const facts = factsOf(dialect, hook);
  const event = dialect.event(body);
  // The hook program sends `wait` only where the client asks before a call, and takes an empty answer for a yes.
  if (hook.query.wait !== undefined && event.kind !== "ask" && event.kind !== "permission") {
    const message = "must be the event of this client before a call";
    throw new AppError("invalid", `The body ${message}. Update the client or Handrail, whichever is older.`, {
      errors: [{ path: "", message }],
    });
  }
  if (facts.policy !== undefined && !(await findRepositoryPolicy(actor.workspaceId, facts.policy))) {
    // No call is decided without the text. A report does not wait for it.
    if (event.kind === "ask" || event.kind === "permission") return json(dialect, {}, { status: 428 });
    facts.policy = undefined;
  }
  switch (event.kind) {
    case "ask":
      return answerAsk({ actor, dialect, hook, facts, asked: askedOf(event, facts, hook) });
    case "permission":
      return answerPermission({ actor, dialect, hook, facts, asked: askedOf(event, facts, hook) });
    case "result":
      return json(dialect, await answerResult({ actor, dialect, hook, facts, asked: askedOf(event, facts, hook) }, event));
    case "start":
      await openSession(actor, facts);
      return json(dialect, {});
    case "end": {
      const session = await openSession(actor, facts);
      await endUnreported({ conversationId: session.conversation.id });
      await endSession(actor, session);
      return json(dialect, {});
    }
    case "notice":
      return json(dialect, {});
  }
}

function factsOf(dialect: Dialect, { body, query }: Hook): SessionFacts {
  const native = dialect.session(body);
  const folder = native ? MachinePath.safeParse(native.cwd) : null;
  if (!native || !folder?.success) {
    const members = Object.keys(body).slice(0, 10).join(", ").slice(0, 200);
    const message = `must name the session and its folder, as the hooks of this client do. It has: ${members || "nothing"}`;
    throw new AppError("invalid", `The body ${message}. Check that the address fits the client.`, { errors: [{ path: "", message }] });
  }
  const home = MachinePath.safeParse(query.home ?? native.home).data;
  return {
    client: dialect.client,
    session: native.session.slice(0, 500),
    agent: native.agent,
    folder: folder.data,
    ...(home ? { home } : {}),
    box: query.box,
    version: query.version,
    host: query.host,
    user: query.user,
    repository: query.repository === "-" ? null : query.repository,
    interactive: true,
    hookTimeout: query.timeout,
    blocksOnFailure: query.onFailure === "block",
    policy: query.policy === "-" ? undefined : query.policy,
  };
}

function askedOf(event: Extract<NativeEvent, { tool: string }>, facts: SessionFacts, { query }: Hook): AskedNatively {
  return {
    facts,
    // Only a question has the id of its request: a later event of the same call has another one.
    callId: (event.callId ?? (event.kind === "ask" ? query.call : null) ?? null)?.slice(0, 200) ?? null,
    tool: event.tool.slice(0, 200),
    input: event.input,
    cwd: facts.folder,
    ...(query.links ? { links: query.links } : {}),
    approvalSeconds: approvalSecondsFor(query.timeout),
  };
}

type Told = { status?: number; turn?: Turn };

/** The marks by which a client that runs a command tells our answer from the page of a proxy, and finds its call. */
const marks = ({ client }: Dialect, turn?: Turn): Record<string, string> => ({
  "handrail-hook": client,
  ...(turn?.calls[0] ? { "handrail-call": turn.calls[0].callId } : {}),
});

const json = (dialect: Dialect, body: JsonObject, { status = 200, turn }: Told = {}): Response =>
  Response.json(body, { status, headers: { "cache-control": "no-store", ...marks(dialect, turn) } });

async function answerAsk(asking: Asking): Promise<Response> {
  const { actor, dialect, hook, asked } = asking;
  const { query, signal } = hook;
  const call = await askCall(actor, asked, signal);
  const { turn } = call;
  if (isDecided(turn)) return json(dialect, await decisionOf(asking, call, turn), { turn });
  if (query.mode === "desk" && dialect.asksAtDesk) return json(dialect, await decisionOf(asking, call, turn, "ask"), { turn });
  if (query.mode === "defer" && dialect.defers) return json(dialect, await decisionOf(asking, call, turn, "pending"), { turn });
  return whenDecided(asking, turn, {
    tell: (later) => decisionOf(asking, call, later),
    deny: (reason) => dialect.answerAsk({ verdict: "deny", reason }, hook.body),
  });
}

/** An open question's answers in the client's own language: what people decided, or a denial with a reason. */
type LaterAnswers = { tell: (turn: Turn) => Promise<JsonObject>; deny: (reason: string) => JsonObject };

/** Answers once people have decided: on this connection, or to one of the short requests that the client repeats. */
async function whenDecided(asking: Asking, turn: Turn, { tell, deny }: LaterAnswers): Promise<Response> {
  const { actor, dialect, hook } = asking;
  const { wait } = hook.query;
  if (wait === undefined) {
    const denyWithoutAccess = (error: unknown) => {
      if (isAppError(error) && error.code === "unauthenticated") return deny(error.message);
      throw error;
    };
    return heldAnswer(decided(asking, turn).then(tell, denyWithoutAccess), marks(dialect, turn));
  }
  const later = await waitWhileAllowed(hook, turn, wait);
  if (hook.signal.aborted && !isDecided(later) && !shutdownSignal().aborted) await withdrawWhenGone(actor, turn);
  return isDecided(later) ? json(dialect, await tell(later), { turn }) : json(dialect, {}, { status: 202, turn });
}

/**
 * Waits until people have decided. A client that leaves withdraws its call; when this process stops, the question stays open, and
 * the client's next equal call finds it.
 */
async function decided({ actor, hook }: Asking, asked: Turn): Promise<Turn> {
  const { signal } = hook;
  const turn = await waitWhileAllowed(hook, asked, Number.POSITIVE_INFINITY);
  if (isDecided(turn)) return turn;
  if (signal.aborted && !shutdownSignal().aborted) await cancelClientCall(actor, turn.id);
  throw new Error("nobody waits for the answer any more");
}

async function decisionOf({ dialect, hook }: Asking, { judged }: AskedCall, turn: Turn, open?: "ask" | "pending"): Promise<JsonObject> {
  const answered = await answerOfCall(turn, { sent: judged });
  const decision: NativeDecision = {
    verdict: open && answered.verdict === "pending" ? open : answered.verdict,
    reason: answered.reason,
    ...(answered.input ? { input: answered.input } : {}),
    ...(await contextOf(turn, answered)),
  };
  return dialect.answerAsk(decision, hook.body);
}

/** Tells the model of an approval with its words, and of changed arguments: the client runs others than the model sent. */
async function contextOf({ calls }: Turn, { verdict, input }: Pick<GuardedCall, "verdict" | "input">): Promise<{ context?: string }> {
  const [call] = calls;
  if (!call || verdict !== "allow") return {};
  const who = call.editedBy ? `${call.editedBy.name} changed` : "A hook of the workspace changed";
  const shown = input && JSON.stringify(input).slice(0, 1_000);
  const changed = shown && `${who} the arguments of this call before it was allowed. It runs with ${shown}.`;
  return joined([await wordsOfApprovers(call), changed]);
}

function joined(sentences: readonly (string | null | undefined)[]): { context?: string } {
  const context = sentences.filter(Boolean).join(" ");
  return context === "" ? {} : { context };
}

async function answerPermission(asking: Asking): Promise<Response> {
  const { actor, dialect, hook, facts, asked } = asking;
  const { answerPermission } = dialect;
  const session = await openSession(actor, facts);
  const { judged, call } = toClientCall(session, asked);
  const conversationId = session.conversation.id;
  const by = asked.callId === null ? { digest: digestOfClientCall(call) } : { runtimeId: asked.callId };
  const found = await findClientTurn(actor, { conversationId, ...by });
  // The client asks about something of its own, which was never asked here.
  if (!found || !answerPermission) return json(dialect, {});
  const turn = await readTurn(found.turnId);
  const tell = async (now: Turn) => {
    const answered = await answerOfCall(now, { sent: judged });
    return answerPermission(answered, hook.body);
  };
  if (isDecided(turn)) return json(dialect, await tell(turn), { turn });
  return whenDecided(asking, turn, { tell, deny: (reason) => answerPermission({ verdict: "deny", reason }, hook.body) });
}

/** Finds the call that its client has run, by the client's id or by what ran. */
async function findRun({ actor, asked }: Asking, conversationId: string, call: ClientCall) {
  if (asked.callId !== null) return findClientTurn(actor, { conversationId, runtimeId: asked.callId });
  const found = await findClientTurn(actor, { conversationId, digest: digestOfClientCall(call) });
  return found ?? findChangedTurn(actor, conversationId, call);
}

async function answerResult(asking: Asking, event: ResultEvent): Promise<JsonObject> {
  const { actor, dialect, hook, facts, asked } = asking;
  const session = await openSession(actor, facts);
  const { call } = toClientCall(session, asked);
  const conversationId = session.conversation.id;
  const found = await findRun(asking, conversationId, call);
  const { status, text, durationMs, response } = event;
  const reported = found
    ? await reportClientResult(actor, found.turnId, { status, text, durationMs }, { answeredThere: hook.query.mode === "desk" })
    : null;
  if (!reported || reported.kind === "not_released") {
    await noteBypass(actor, session.row, asked.tool);
    return dialect.answerResult({ masked: null, text: null }, event, hook.body);
  }
  const { replaced } = reported;
  const context = found ? await contextAfter(dialect, hook.query.mode, await readTurn(found.turnId)) : {};
  const mask = new ResultMask();
  const masked = replaced === null || response === null ? null : await mask.maskValue(response);
  return dialect.answerResult({ masked: mask.count > 0 ? masked : null, text: replaced, ...context }, event, hook.body);
}

/** Clients that take no words for the model before the call get them after it. */
async function contextAfter({ client }: Dialect, mode: Hook["query"]["mode"], { calls: [call] }: Turn): Promise<{ context?: string }> {
  // Claude Code takes words with its answer before a call, but not with one to its own prompt.
  if ((client === "claude-code" && mode !== "desk") || !call) return {};
  const shown = JSON.stringify(call.arguments).slice(0, 1_000);
  const changed = call.editedBy && `${call.editedBy.name} changed the arguments of this call before it was allowed. It ran with ${shown}.`;
  return joined([await wordsOfApprovers(call), changed]);
}
