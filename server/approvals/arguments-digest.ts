import "server-only";
import type { JsonObject } from "@/contracts/common";
import { canonicalJson, sha256 } from "@/server/platform/crypto";

/** The call that an approval is bound to; a change of any member before the call runs makes the approval void. */
export type ApprovedCall = { toolName: string; arguments: JsonObject; definitionHash: string };

/** Computes the SHA-256 over canonical tool name, canonical parsed arguments and the hash of the tool's definition. */
export function argumentsDigest(call: ApprovedCall): string {
  return sha256(canonicalJson([call.toolName, call.arguments, call.definitionHash]));
}

/** Returns the hash of what a person approves with a call: the pin of an MCP tool, or the schema of our own. */
export function definitionHash({ pinHash, schemaHash }: { pinHash?: string | null; schemaHash: string }): string {
  return pinHash ?? schemaHash;
}
