import { readProblem } from "@/components/kit/api/api-problem";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import type { AuditVerification } from "@/contracts/audit/audit-proof";
import { auditProofEndpoints } from "@/contracts/browser/audit/audit-proof";

/**
 * Verifies the whole audit and returns the result.
 * @param onProgress gets each line on the way
 * @throws ApiProblem when the API refuses; Error when the answer ends before the result
 */
export async function readVerification(onProgress: (line: AuditVerification) => void): Promise<AuditVerification> {
  const response = await fetch(endpointAddress(auditProofEndpoints.verify, {}), { credentials: "same-origin" });
  if (!response.ok || !response.body) throw await readProblem(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error("The verification ended before its result. Verify again.");
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      const line = JSON.parse(text) as AuditVerification;
      if (line.done) return line;
      onProgress(line);
    }
  }
}
