import "server-only";
import type { JsonObject } from "@/contracts/common";
import { canonicalJson, sha256 } from "@/server/platform/crypto";

/** What an approval is bound to: when any of these has changed before it is used, it is void. */
export type ApprovedCall = { toolName: string; arguments: JsonObject; schemaHash: string };

/** SHA-256 over canonical tool name, canonical parsed arguments and the tool's schema hash. */
export function argumentsDigest(call: ApprovedCall): string {
  return sha256(canonicalJson([call.toolName, call.arguments, call.schemaHash]));
}
