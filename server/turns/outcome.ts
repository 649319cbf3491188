import type { CallStatus } from "@/contracts/calls/call-statuses";
import type { ActorRef, JsonObject } from "@/contracts/common";
import type { Decision } from "@/contracts/decisions/decision";
import type { HookStep } from "@/contracts/hooks/hooks";
import { maxCallsPerTurn } from "@/contracts/turns/turns";
import { toErrorMessage } from "@/server/platform/errors";
import { definePromptHint } from "@/server/platform/extension-points/prompt-hints";
import type { RichResult } from "@/server/tools/define-tool";
import type { ReachedHosts } from "./execute/host-collector";
import type { ResultLimits } from "./result-limits";

/** A call continues in the background. */
export const backgroundJob = definePromptHint("background_job");

export type FinalStatus = Exclude<CallStatus, "pending" | "awaiting_approval" | "running" | "released">;

/** The end of a call, before its result is bounded and stored. */
export type Outcome = {
  callId: string;
  status: FinalStatus;
  /** The result for the model. */
  text: string;
  /** Parts of `text`, each cut to its own beginning and end; ignored once `text` has changed. */
  sections?: readonly string[];
  structuredContent?: JsonObject;
  files?: RichResult["files"];
  /** Embedded texts; the ones that no longer stand in `text` are dropped. */
  resources?: RichResult["resources"];
  /** Linked resources; the ones that `text` no longer names are dropped. */
  links?: RichResult["links"];
  /** Blocks as their server sent them; the ones that no longer stand in `text` are dropped. */
  blocks?: RichResult["blocks"];
  /** `_meta` of the server's result; dropped when a hook changes the result. */
  meta?: JsonObject;
  /** Whether a failure is an answer all the same, such as a failing test; the loop guard does not count it. */
  isAnswer?: boolean;
  /** The tool pages by itself, so its result is never cut. */
  neverSpilled?: boolean;
  /** Limits of the result; the defaults when absent. */
  limits?: ResultLimits;
  /** Secrets that were masked in the result. */
  maskedSecrets?: number;
  /** The whole text, for the user; the model gets `text`. */
  directText?: string;
  /** The background job that continues the call. */
  jobId?: string;
  /** Milliseconds that the call ran, as the client that ran it measured them. */
  durationMs?: number;
  /** Canonical name, parsed arguments and decision of a call that ended before it was started. */
  name?: string;
  arguments?: JsonObject;
  decision?: Decision;
  /** Hosts that the call's programs reached, or were refused, through its proxy. */
  network?: ReachedHosts;
  /** Steps of the hooks after the tool. */
  hookSteps?: HookStep[];
};

/** Failures in a row after which a model is warned, and after which the same call is not run any more. */
export const loopLimits = { call: { warn: 2, stop: 5 }, tool: { warn: 3 } } as const;

/** Results that the model reads. Each says what happened and what to do next. */
export const sentences = {
  denied: (name: string, reason: string) =>
    `Denied by policy: ${name} was not run. ${sentence(reason)} Use a safer alternative or go on without it.`,
  mustSplit: (name: string, reason: string) =>
    `Not run: ${name} has to be split. ${sentence(reason)} Nothing of it ran, and nothing was refused.`,
  nobodyToAsk: (name: string, reason: string) =>
    `Denied: ${name} needs a person's approval (${reason.replace(/\.$/, "")}) and nobody can be asked in this conversation. Use another tool or skip this step; do not retry.`,
  nobodyToAnswer: (name: string) =>
    `${name} was refused: it asks a person, and nobody can be asked in this conversation. Decide with what you know, or stop and say what is missing; do not retry.`,
  rejected: (name: string, comment: string) =>
    `Rejected: a person looked at this call of ${name} and refused it.${comment ? ` They said: "${comment}".` : ""} Do not send it again; take another way or ask the user.`,
  unreadable: (name: string) =>
    `${name} was not run: its arguments hold a secret, and were sealed with another HANDRAIL_SECRET_KEY than the server has now. Send the call again.`,
  expired: (name: string) =>
    `Expired: nobody answered the approval of ${name} in time, so it was not run. Go on without it or ask the user.`,
  cancelled: (name: string) => `Cancelled: ${name} was stopped on request.`,
  timedOut: (name: string, timeoutMs: number) =>
    `Timed out: ${name} was stopped after ${timeoutMs / 1_000} seconds. Try a smaller piece of work, or another way.`,
  interrupted: (name: string) =>
    `Interrupted: the server stopped while ${name} was running. Its outcome is unknown and it was not retried. Check what it did before sending it again.`,
  unreported: (name: string) =>
    `Unknown: ${name} was released to the client that runs it, and its result was never reported. Check what it did before sending it again.`,
  nobodyWaits: (name: string) =>
    `The server stopped while ${name} was running, so nobody waits for this answer any more. What it was handed to may still be at work: look there.`,
  endedUnanswered: (name: string) =>
    `The call of ${name} ended before its question was answered, so nobody waits for this answer any more.`,
  returnedDirectly: (name: string) => `${name} succeeded, and its result was shown to the user directly. It is not repeated here.`,
  inBackground: (name: string, jobId: string) =>
    `${name} runs in the background as job ${jobId}. Its result comes by itself with one of your next turns; do not send the call again. ${backgroundJob.text()}`.trimEnd(),
  movedToBackground: (name: string, jobId: string, by: ActorRef) =>
    `${name} was moved to the background by ${by.type === "api_key" ? `the API key ${by.name}` : "a person"}, as job ${jobId}, and goes on there. Its result comes by itself with one of your next turns; do not send the call again.`,
  edited: (name: string, { asked, run }: { asked: JsonObject; run: JsonObject }) =>
    `A person changed the arguments of this call before approving it. You sent ${inShort(asked)}; ${name} ran with ${inShort(run)}.`,
  approvedBy: (approvers: readonly { name: string; comment: string }[]) =>
    [
      `${approvers.map(({ name }) => name).join(" and ")} approved this call.`,
      ...approvers.flatMap(({ name, comment }) => (comment === "" ? [] : [`${name} said: "${comment}".`])),
    ].join(" "),
  approvedWith: (comment: string) => `A person approved this call and said: "${comment}".`,
  failingCall: (times: number) =>
    `[This exact call has failed ${times} times. Change its arguments or take another way; after ${loopLimits.call.stop} failures it is not run any more.]`,
  failingTool: (name: string, times: number) =>
    `[${name} has failed ${times} times in a row. Look for the reason before you call it again.]`,
  stoppedCall: (name: string, times: number) =>
    `Not run: this exact call of ${name} has failed ${times} times. Sending it again will not help: change its arguments, take another way, or tell the user what you could not do.`,
  tooMany: (count: number) =>
    `This call was dropped: the reply had ${count} calls and at most ${maxCallsPerTurn} run. Re-issue the most important ones in your next response.`,
  withheld: (name: string, message: string) =>
    `Withheld: the hooks after ${name} could not look at its answer (${message}). Go on without it, or try again later.`,
  unmasked: (name: string) =>
    `Withheld: the result of ${name} could not be checked for secrets, so it is not shown. Go on without it, or ask for a smaller part of it.`,
  filesChanged: (name: string, changes: readonly string[]) =>
    `${name} was not run: ${changes.join(" ")} The approval holds for the files as they were. Send the call again, so that a person sees it as it is now.`,
  broken: (name: string, message: string) => `Tool execution failed: ${name}: ${message}`,
};

/** Refuses a call that could not be evaluated; the turn goes on, because no text of a model may stop a turn. */
export function undecidable({ id, name }: { id: string; name: string }, error: unknown): Outcome {
  return { callId: id, status: "denied", text: sentences.denied(name, `It could not be evaluated: ${toErrorMessage(error)}`) };
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const maxShownChars = 1_000;

function inShort(args: JsonObject): string {
  const text = JSON.stringify(args);
  return text.length > maxShownChars ? `${text.slice(0, maxShownChars).toWellFormed()}…` : text;
}
