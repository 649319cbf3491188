import type { JsonObject } from "@/contracts/common";
import type { Decision } from "@/contracts/guard";
import { type CallStatus, maxCallsPerTurn } from "@/contracts/turns";
import type { RichResult } from "@/server/tools/define-tool";

export type FinalStatus = Exclude<CallStatus, "pending" | "awaiting_approval" | "running">;

/** How a call ended, before it is bounded and stored. */
export type Outcome = {
  callId: string;
  status: FinalStatus;
  /** The result for the model. */
  text: string;
  structuredContent?: JsonObject;
  files?: RichResult["files"];
  /** The tool pages by itself, so its result is never cut. */
  neverSpilled?: boolean;
  /** Canonical name, parsed arguments and decision of a call that ended before it was started. */
  name?: string;
  arguments?: JsonObject;
  decision?: Decision;
  /** Refused only because the tool is not active in the conversation, as far as we remember. */
  isInactive?: true;
};

/** A name in quotes the model can trust; the sentence says what happened and what to do next. */
export const sentences = {
  denied: (name: string, reason: string) =>
    `Denied by policy: ${name} was not run. ${sentence(reason)} Use a safer alternative or go on without it.`,
  nobodyToAsk: (name: string, reason: string) =>
    `Denied: ${name} needs a person's approval (${reason.replace(/\.$/, "")}) and nobody can be asked in this conversation. Use another tool or skip this step; do not retry.`,
  rejected: (name: string, comment: string) =>
    `Rejected: a person looked at this call of ${name} and refused it.${comment ? ` They said: "${comment}".` : ""} Do not send it again; take another way or ask the user.`,
  expired: (name: string) =>
    `Expired: nobody answered the approval of ${name} in time, so it was not run. Go on without it or ask the user.`,
  cancelled: (name: string) => `Cancelled: ${name} was stopped on request.`,
  timedOut: (name: string, timeoutMs: number) =>
    `Timed out: ${name} was stopped after ${timeoutMs / 1_000} seconds. Try a smaller piece of work, or another way.`,
  interrupted: (name: string) =>
    `Interrupted: the server stopped while ${name} was running. Its outcome is unknown and it was not retried. Check what it did before sending it again.`,
  tooMany: (count: number) =>
    `This call was dropped: the reply had ${count} calls and at most ${maxCallsPerTurn} run. Re-issue the most important ones in your next response.`,
  broken: (name: string, message: string) => `Tool execution failed: ${name}: ${message}`,
};

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
