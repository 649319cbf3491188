import { type GuardConfig, guardEndpoints } from "@/contracts/guard/guard";
import { answer } from "@/server/endpoints/answer";
import { reply } from "@/server/endpoints/reply";
import { createRule } from "@/server/policy/rules/create-rule";
import { getRule } from "@/server/policy/rules/get-rule";
import { getConfig, updateConfig } from "@/server/policy/rules/guard-config";
import { listDetectors, updateDetector } from "@/server/policy/rules/list-detectors";
import { listRules } from "@/server/policy/rules/list-rules";
import { orderRules } from "@/server/policy/rules/order-rules";
import { removeRule } from "@/server/policy/rules/remove-rule";
import { startRuleFromCall } from "@/server/policy/rules/start-rule-from-call";
import { updateRule } from "@/server/policy/rules/update-rule";
import { previewRule } from "@/server/policy/simulation/preview-rule";
import { listVersions } from "@/server/policy/versions/list-versions";
import { restoreVersion } from "@/server/policy/versions/restore-version";
import { evaluateCall } from "@/server/turns/decide/evaluate-call";

const withEtag = (config: GuardConfig) => reply(config, { headers: { etag: `"${config.policyVersion}"` } });

export const guardAnswers = answer(guardEndpoints, {
  getConfig: async ({ actor }) => withEtag(await getConfig(actor)),
  updateConfig: async ({ actor, body, version }) => withEtag(await updateConfig(actor, body, version)),
  listDetectors: async ({ actor }) => {
    const list = await listDetectors(actor);
    return reply(list, { headers: { etag: `"${list.policyVersion}"` } });
  },
  updateDetector: async ({ actor, params, body, version }) => {
    const { detector, policyVersion } = await updateDetector(actor, params.id, body, version);
    return reply(detector, { headers: { etag: `"${policyVersion}"` } });
  },
  resetDetector: async ({ actor, params, version }) => {
    const { detector, policyVersion } = await updateDetector(actor, params.id, { enabled: true }, version);
    return reply(detector, { headers: { etag: `"${policyVersion}"` } });
  },
  listRules: ({ actor, query }) => listRules(actor, query),
  createRule: ({ actor, body }) => createRule(actor, body),
  getRule: ({ actor, params }) => getRule(actor, params.id),
  updateRule: ({ actor, params, body, version }) => updateRule(actor, params.id, body, version),
  removeRule: ({ actor, params, version }) => removeRule(actor, params.id, version),
  orderRules: ({ actor, body }) => orderRules(actor, body.ids, body.from ?? null),
  previewRule: ({ actor, body }) => previewRule(actor, body),
  startFromCall: ({ actor, query }) => startRuleFromCall(actor, query.callId),
  evaluate: ({ actor, body }) => evaluateCall(actor, body),
  listVersions: ({ actor, query }) => listVersions(actor, query),
  restoreVersion: ({ actor, params, version }) => restoreVersion(actor, params.version, version),
});
