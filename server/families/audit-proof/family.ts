import { dropEmptyMonths } from "@/server/audit/drop-empty-months";
import { defineFamily } from "../define-family";
import { archiveOldAudit } from "./archive/archive-old-audit";
import { auditCheck } from "./doctor-check";
import { auditProofAnswers } from "./endpoints";
import { auditForgetting } from "./erasure/erase-payloads";
import { auditRetentionAnswers } from "./retention/endpoints";
import { removeOldAudit } from "./retention/remove-old-audit";
import { runSealer } from "./run-sealer";

/** Seals over the audit, and what proves with them. */
export const auditProofFamily = defineFamily({
  name: "audit-proof",
  endpoints: [...auditProofAnswers, ...auditRetentionAnswers],
  removeOldRows: [removeOldAudit, archiveOldAudit, dropEmptyMonths],
  forgetting: auditForgetting,
  doctor: [auditCheck],
  boot: [{ title: "Sealing the audit", start: runSealer }],
});
