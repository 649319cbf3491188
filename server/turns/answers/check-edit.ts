import "server-only";
import type { KeptContents } from "@/contracts/calls/call-contents";
import type { JsonObject } from "@/contracts/common";
import type { Decision } from "@/contracts/decisions/decision";
import type { Effect } from "@/contracts/decisions/effects";
import { canonicalJson } from "@/contracts/lib/canonical-json";
import { argumentsDigest, definitionHash } from "@/server/approvals/arguments-digest";
import type { Edit } from "@/server/approvals/decide-approval";
import type { ApprovalRow } from "@/server/approvals/settlement";
import { noGrants } from "@/server/guard/grants/compiled-grants";
import { hookIo } from "@/server/hooks/hook-io";
import { recordRuns } from "@/server/hooks/record-runs";
import { refusalSentence } from "@/server/hooks/refusal-sentences";
import { runHooks } from "@/server/hooks/run-hooks";
import { AppError } from "@/server/platform/errors";
import { keepMasked } from "@/server/secrets/keep-masked";
import { contentsOf } from "../contents/call-contents";
import { completeArguments, IncompleteArguments } from "../decide/complete-arguments";
import { decideCall } from "../decide/decide-call";
import { shapeOf } from "../decide/shape-of";
import { toHookContext } from "../hooks/call-hook-context";
import { storedTurn } from "../live-turn";
import { prepareRow } from "../prepare-row";
import { loadTurn } from "../read/load-turn";
import { loadTurnContext, type TurnContext } from "../turn-context";

/**
 * Checks arguments that an approver changed: they fit the tool's schema, hooks leave them unchanged, and the current
 * policy neither denies them nor asks for more than the approval did. The call then runs with exactly these arguments.
 * @throws AppError `invalid` with the place and the reason
 */
export async function checkEdit(approval: ApprovalRow, sent: JsonObject): Promise<Edit> {
  if (approval.kind !== "call" || Object.hasOwn(approval.arguments, "gate"))
    throw refuse("This asks no call to run, so it has no arguments to change.");
  if (approval.quorumNeeded > 1) {
    throw refuse("Several people have to approve the same call, so nobody changes it. Reject it with a comment that says what to change.");
  }
  const loaded = await loadTurn(approval.turnId);
  const call = loaded && storedTurn(loaded.turn, loaded.calls).calls.find(({ id }) => id === approval.callId);
  if (!loaded || !call) throw new AppError("not_found", "The call of this approval does not exist any more.");
  if (call.sealedArguments !== null)
    throw refuse("The call's arguments hold a secret and cannot be read any more. Approve or reject it as it is.");
  const { value, lost } = keepMasked(sent, call.arguments);
  if (lost !== null) throw refuse("holds a masked secret that cannot be put back there. Write the value itself.", `arguments.${lost}`);

  const context = await loadTurnContext(loaded.turn, { fresh: true });
  const prepared = prepareRow(context, { ...call, arguments: value, rawArguments: null });
  if (prepared.kind === "failed") throw refuse(prepared.message, placeIn(prepared.message));
  const { registered } = prepared;
  const args = await completeArguments(context, prepared.tool, prepared.arguments).catch((error) => {
    throw error instanceof IncompleteArguments ? refuse(error.message) : error;
  });
  await assertHooksAgree(context, approval.callId, registered, args);
  const decision = await decideCall({ ...context, policy: { ...context.policy, grants: noGrants } }, registered, args);
  assertNoWorseDecision(approval, decision);
  // `keepMasked` restored a secret that the approver did not write, so the call must keep its targets.
  if (canonicalJson(value) !== canonicalJson(sent)) assertSameTargets(approval.decision, decision);
  const digest = argumentsDigest({ toolName: registered.name, arguments: args, definitionHash: definitionHash(registered) });
  const contents = await contentsOf(context, registered, args);
  return {
    arguments: args,
    digest,
    decision,
    shape: shapeOf(context, registered, args),
    contents: contents && asAsked(contents, approval.contents),
  };
}

/** Keeps the hashes of the files that people saw, because a file may have changed while hooks checked the edit. */
function asAsked(contents: KeptContents, asked: KeptContents | null): KeptContents {
  const seen = new Map(asked?.files.map((file) => [file.path, file]));
  return { ...contents, files: contents.files.map((file) => seen.get(file.path) ?? file) };
}

function refuse(message: string, path = "arguments"): AppError {
  return new AppError("invalid", message, { errors: [{ path, message }] });
}

/** Returns the path of the wrong argument from a message such as `schema: n: must be a number`. */
function placeIn(message: string): string {
  const name = /(?:schema|;): (?:missing required param: )?([\w.-]+)(?:[:;.]|$)/.exec(message)?.[1];
  return name === undefined ? "arguments" : `arguments.${name.replace(/\.$/, "")}`;
}

type Registered = Parameters<typeof decideCall>[1];

/** Refuses arguments that hooks refuse or would change, because hooks ran before people saw the call and must not be bypassed. */
async function assertHooksAgree(context: TurnContext, callId: string, tool: Registered, args: JsonObject): Promise<void> {
  if (context.hooks.before_tool.length === 0) return;
  const hookContext = toHookContext(context, callId, "before_tool", tool, args);
  const { value, refusal, ran } = await runHooks(context.hooks.before_tool, hookContext, args, hookIo);
  recordRuns(hookContext, ran);
  if (refusal) throw refuse(refusalSentence(hookContext, refusal));
  if (canonicalJson(value) === canonicalJson(args)) return;
  const hook = ran.findLast(({ step }) => step.outcome === "changed")?.step;
  const [change] = hook?.changes ?? [];
  throw refuse(`The hook "${hook?.name}" would change these arguments${change ? ` at ${change.path}` : ""}. Leave what it puts there.`);
}

function assertNoWorseDecision(approval: ApprovalRow, decision: Decision): void {
  if (decision.verdict === "deny") throw refuse(`The policy denies these arguments: ${decision.reason}`);
  const known = new Set(approval.decision.findings.filter(({ severity }) => severity === "critical").map(({ detector }) => detector));
  const worse = decision.findings.find(({ severity, detector }) => severity === "critical" && !known.has(detector));
  if (worse) throw refuse(`These arguments have a critical finding that the call did not have: ${worse.message} Reject the call instead.`);
  const { approvers } = decision;
  if (decision.verdict !== "require_approval" || !approvers) return;
  if (canonicalJson(approvers) === canonicalJson(approval.decision.approvers ?? null)) return;
  throw refuse(
    "The rule that asks about these arguments says who decides, and did not when the call was asked. Reject the call, so that it is asked anew.",
  );
}

/** Refuses changed arguments with a masked secret when the call would touch a target that the asked call did not touch. */
function assertSameTargets(asked: Decision, edited: Decision): void {
  const touched = new Set((asked.effects ?? []).map(targetOf));
  // A tool without known effects may take the secret anywhere.
  const isSame =
    touched.size > 0 && edited.effects?.every((effect) => effect.target.where !== "not_known" && touched.has(targetOf(effect)));
  if (isSame) return;
  throw refuse(
    "The arguments hold a masked secret, and changed like this the call may take it elsewhere. Write the secret itself, or reject the call.",
  );
}

const targetOf = ({ kind, target: { path, host, program } }: Effect): string =>
  JSON.stringify([kind, path ?? null, host ?? null, program ?? null]);
