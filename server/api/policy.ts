import { policyEndpoints } from "@/contracts/guard/policy";
import { answer } from "@/server/endpoints/answer";
import { policyFileStatus } from "@/server/policy/policy-file/policy-file-status";
import { exportRules } from "@/server/policy/rules/export-rules";
import { importRules } from "@/server/policy/rules/import-rules";
import { simulate } from "@/server/policy/simulation/simulate";
import { getVersion } from "@/server/policy/versions/get-version";

export const policyAnswers = answer(policyEndpoints, {
  getFile: async ({ actor }) => policyFileStatus(actor),
  exportRules: ({ actor }) => exportRules(actor),
  importRules: ({ actor, body, version }) => importRules(actor, body, version),
  simulate: ({ actor, body, signal }) => simulate(actor, body, signal),
  getVersion: ({ actor, params, query }) => getVersion(actor, params.version, query.against),
});
