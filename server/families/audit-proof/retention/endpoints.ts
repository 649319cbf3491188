import { auditRetentionEndpoints } from "@/contracts/audit/audit-retention";
import { answer } from "@/server/endpoints/answer";
import { auditHolds } from "./holds";
import { planRemoval } from "./old-rows";
import { getAuditSettings, updateAuditSettings } from "./settings";

export const auditRetentionAnswers = answer(auditRetentionEndpoints, {
  settings: ({ actor }) => getAuditSettings(actor),
  updateSettings: ({ actor, body, version }) => updateAuditSettings(actor, body, version),
  plan: ({ actor, query }) => planRemoval(actor, query),
  holds: auditHolds.list,
  createHold: auditHolds.create,
  removeHold: auditHolds.remove,
});
