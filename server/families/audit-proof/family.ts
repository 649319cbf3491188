import { defineFamily } from "../define-family";
import { auditCheck } from "./doctor-check";
import { auditProofAnswers } from "./endpoints";
import { runSealer } from "./run-sealer";

/** Seals over the audit, and what proves with them. */
export const auditProofFamily = defineFamily({
  name: "audit-proof",
  endpoints: auditProofAnswers,
  doctor: [auditCheck],
  boot: [{ title: "Sealing the audit", start: runSealer }],
});
