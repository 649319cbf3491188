import "server-only";
import type { JsonObject } from "@/contracts/common";
import { newId } from "@/server/platform/ids";
import { signatureOf } from "@/server/webhooks/sign-delivery";
import { webhookHttp } from "@/server/webhooks/webhook-http";
import { callbackSecretOf } from "@/server/webhooks/webhook-secret";
import { recordAuditedRun } from "./record-runs";
import type { HookMeans } from "./run-hooks";
import { takeRun } from "./run-rate";
import type { Asked, HookReach, HookScene } from "./scene";

const longestAnswerBytes = 1_048_576;

/** How hooks reach the world: as webhooks do, to the public internet, signed with the secret of the workspace. */
export const hookMeans: HookMeans = {
  takeRun,
  reachOf: (_hook, scene, signal): HookReach => ({
    isTrial: false,
    post: (url, body) => post(url, body, scene, signal),
  }),
  writeAudit: (ran, scene) => recordAuditedRun(scene, ran),
};

/** A try-out: nothing is counted, sent or written. */
export const trialMeans: HookMeans = {
  takeRun: () => true,
  reachOf: () => ({ isTrial: true, post: () => Promise.reject(new Error("nothing is sent in a try-out")) }),
  writeAudit: async () => {},
};

async function post(url: string, message: JsonObject, { workspaceId, event }: HookScene, signal: AbortSignal): Promise<Asked> {
  const body = JSON.stringify(message);
  const { status, bytes, truncated } = await webhookHttp().fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "handrail-event": `hook.${event}`,
      "handrail-delivery": newId(),
      "handrail-signature": signatureOf(callbackSecretOf(workspaceId), body, new Date()),
    },
    body,
    signal,
    maxBytes: longestAnswerBytes,
  });
  if (truncated) throw new Error(`${URL.parse(url)?.host ?? "it"} answered more than 1 MiB`);
  return { status, text: Buffer.from(bytes).toString("utf8") };
}
