import "server-only";
import type { JsonObject } from "@/contracts/common";
import { callbackHttp } from "@/server/capabilities/callbacks/callback-http";
import { callbackSecretOf } from "@/server/capabilities/callbacks/callback-secret";
import { signatureOf } from "@/server/capabilities/callbacks/sign-delivery";
import { askAgent } from "@/server/models/ask-agent";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { newId } from "@/server/platform/ids";
import type { HookContext, HookOutbound, ProgramAnswer } from "./hook-context";
import { recordAuditedRun } from "./record-runs";
import type { HookIo } from "./run-hooks";
import { takeRun } from "./run-rate";

const maxAnswerBytes = 1_048_576;

/** Input and output of real hook runs: messages go to the public internet like callbacks, signed with the workspace's secret. */
export const hookIo: HookIo = {
  takeRun,
  outboundFor: (_hook, hookContext, signal): HookOutbound => ({
    isTrial: false,
    post: (url, body) => post(url, body, hookContext, signal),
    askAgent: (agentId, question) => askAgent({ ...question, workspaceId: hookContext.workspaceId, agentId, signal }),
  }),
  writeAudit: (ran, hookContext) => recordAuditedRun(hookContext, ran),
};

const sendsNothing = () => Promise.reject(new Error("nothing is sent in a try-out"));

/** Input and output of a try-out, which counts, sends and writes nothing. */
export const trialHookIo: HookIo = {
  takeRun: () => true,
  outboundFor: () => ({ isTrial: true, post: sendsNothing, askAgent: sendsNothing }),
  writeAudit: async () => {},
};

async function post(url: string, message: JsonObject, { workspaceId, event }: HookContext, signal: AbortSignal): Promise<ProgramAnswer> {
  const body = JSON.stringify(message);
  const { status, bytes, truncated } = await callbackHttp().fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "handrail-event": `hook.${event}`,
      "handrail-delivery": newId(),
      "handrail-signature": signatureOf(callbackSecretOf(workspaceId), body, sharedNow()),
    },
    body,
    signal,
    maxBytes: maxAnswerBytes,
  });
  if (truncated) throw new Error(`${URL.parse(url)?.host ?? "it"} answered more than 1 MiB`);
  return { status, text: Buffer.from(bytes).toString("utf8") };
}
