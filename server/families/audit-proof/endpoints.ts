import { auditProofEndpoints } from "@/contracts/audit/audit-proof";
import { answer } from "@/server/endpoints/answer";
import { streamLines } from "@/server/endpoints/stream-lines";
import { assertSpan } from "./assert-span";
import { readAuditState } from "./audit-state";
import { listCheckpoints } from "./checkpoints";
import { proveRow } from "./prove-row";
import { sealedLines } from "./sealed-export";
import { verificationLines } from "./verify-audit";

export const auditProofAnswers = answer(auditProofEndpoints, {
  state: ({ actor }) => readAuditState(actor),
  verify: async ({ actor, query }) => {
    assertSpan(query);
    return streamLines(verificationLines(actor, query));
  },
  exportSealed: ({ actor }) => streamLines(sealedLines(actor), `audit-sealed-${new Date().toISOString().slice(0, 10)}.ndjson`),
  checkpoints: ({ actor, query }) => listCheckpoints(actor, query),
  proof: ({ actor, params }) => proveRow(actor, params.id),
});
