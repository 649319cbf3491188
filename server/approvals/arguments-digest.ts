import "server-only";
import type { JsonObject } from "@/contracts/common";
import { canonicalJson, sha256 } from "@/server/platform/crypto";

/** The call that an approval is bound to; a change of any member before the call runs makes the approval void. */
export type ApprovedCall = { toolName: string; arguments: JsonObject; schemaHash: string };

/** Computes the SHA-256 over canonical tool name, canonical parsed arguments and the tool's schema hash. */
export function argumentsDigest(call: ApprovedCall): string {
  return sha256(canonicalJson([call.toolName, call.arguments, call.schemaHash]));
}
