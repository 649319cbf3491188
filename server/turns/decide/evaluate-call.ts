import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { Evaluation } from "@/contracts/guard/guard";
import type { EvaluatedContext } from "@/contracts/guard/rule-conditions";
import { normalRepository } from "@/contracts/lib/normal-repository";
import type { CallMachine } from "@/contracts/tools/machine";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { findConversation } from "@/server/conversations/find-conversation";
import type { GuardContext, GuardRequest } from "@/server/guard/call/guard-request";
import { patternSubjectText } from "@/server/guard/call/pattern-subject";
import { decide } from "@/server/guard/decide";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { AppError } from "@/server/platform/errors";
import { machineContext } from "@/server/policy/machine-context";
import { escalatedSentence } from "@/server/policy/own-tools";
import { loadPolicy, type Policy } from "@/server/policy/policy";
import { programContext } from "@/server/policy/program-context";
import { loadCatalog } from "@/server/tools/catalog";
import { liveTool } from "@/server/tools/live-tools";
import type { RegisteredTool } from "@/server/tools/registered-tool";
import { takeCarriedCall } from "../take-carried-call";
import { type DecisionContext, loadTurnContext } from "../turn-context";
import { completeArguments, IncompleteArguments } from "./complete-arguments";
import { requestOf } from "./decide-call";

type Evaluated = { tool: string; arguments: JsonObject; context?: EvaluatedContext };

/**
 * Decides a call with the current policy as a turn would: carried calls are taken out of their carrier, arguments are
 * parsed, and in a conversation completed and decided on its files. Hooks do not run. Runs nothing and records nothing.
 * @throws AppError `not_found` for the tool or the conversation
 */
export async function evaluateCall(actor: Authorized<"guard:read">, { context = {}, ...given }: Evaluated): Promise<Evaluation> {
  const { at, conversationId, ...known } = context;
  const { workspaceId } = actor;
  const { name, arguments: args } = takeCarriedCall({ name: given.tool, arguments: given.arguments });
  const registered = (await loadCatalog(workspaceId)).find(name.trim());
  if (!registered) throw new AppError("not_found", `There is no tool named ${name}. The list of tools has every name.`);
  const call = { registered, name, arguments: typeof args === "string" ? given.arguments : args };
  const { request, policy } =
    conversationId === undefined ? await requestAlone(workspaceId, call, known) : await requestIn(actor, conversationId, call, known);
  const now = at ? Date.parse(at) : sharedNowMs();
  const { ruleDigest: _digest, policyFile: _file, grantId: _grant, ...decided } = decide(policy, request, now);
  const evaluation = { ...decided, tool: registered.name, seen: patternSubjectText(request, null) };
  // A turn refuses direct calls of escalate tools before the guard, so no rule can allow them and nobody is asked.
  return registered.surface === "escalate"
    ? { ...evaluation, verdict: "deny", reason: escalatedSentence(registered.name), ruleId: null }
    : evaluation;
}

type Known = Omit<EvaluatedContext, "at" | "conversationId">;
type Call = { registered: RegisteredTool; name: string; arguments: JsonObject };
type Asked = { request: GuardRequest; policy: Policy };

/** Parses a call's arguments as the tool does. Arguments that do not fit stay as they are. */
function parsed(workspaceId: string, { registered, name, arguments: args }: Call): JsonObject {
  const read = liveTool(workspaceId, registered)?.parse(args, name);
  return read?.ok ? read.value : args;
}

/** Asks about a call outside any conversation. The agent may be given by id or name, so the value serves as both. */
async function requestAlone(workspaceId: string, call: Call, { agent, interactive = true, machine, ...known }: Known): Promise<Asked> {
  // An operator evaluates the call, so the call has an operator's trust.
  const context: GuardContext = {
    ...known,
    ...(machine ? machineContext(toCallMachine(machine)) : programContext()),
    interactive,
    trust: "operator",
    ...(agent === undefined ? {} : { agent: { id: agent, name: agent } }),
  };
  const request = { tool: call.registered, arguments: parsed(workspaceId, call), context };
  return { request, policy: await loadPolicy(workspaceId) };
}

/** Asks about a call in a turn of the conversation that the given actor, or else this one, would submit. */
async function requestIn(actor: Authorized<"guard:read">, conversationId: string, call: Call, known: Known): Promise<Asked> {
  const { workspaceId } = actor;
  await findConversation(actor, conversationId);
  const requestedBy = toActorRef(actor);
  const machine = known.machine ? toCallMachine(known.machine) : null;
  const context = await loadTurnContext({ conversationId, workspaceId, requestedBy, machine });
  const given = parsed(workspaceId, call);
  // A client completes nothing from the state of our conversation.
  const args = machine ? given : await completed(context, call, given);
  const { request } = await requestOf(context, call.registered, args);
  const by = known.actor ? { actor: known.actor } : {};
  return { request: { ...request, context: { ...request.context, ...by } }, policy: context.policy };
}

/** Reads the machine of an evaluated call as that of a client's call. */
const toCallMachine = ({ client, repository, ...machine }: NonNullable<Known["machine"]>): CallMachine => ({
  ...machine,
  client: client ?? "other",
  ...(repository === undefined ? {} : { repository: repository === null ? null : normalRepository(repository) }),
});

/** Completes the arguments from the conversation's state, as a turn does. */
async function completed(context: DecisionContext, { registered }: Call, args: JsonObject): Promise<JsonObject> {
  const tool = liveTool(context.conversation.workspaceId, registered);
  if (!tool) return args;
  try {
    return await completeArguments(context, tool, args);
  } catch (error) {
    // A turn would answer the tool's sentence and ask nobody; the guard is asked about what was sent.
    if (error instanceof IncompleteArguments) return args;
    throw error;
  }
}
