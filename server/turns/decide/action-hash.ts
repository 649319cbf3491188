import type { JsonObject } from "@/contracts/common";
import type { Decision } from "@/contracts/decisions/decision";
import { definitionHash } from "@/server/approvals/arguments-digest";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import type { RegisteredTool } from "@/server/tools/registered-tool";

/**
 * Writes into a decision the hash of the action that it is about: tool, canonical arguments, hash of the tool's schema, agent
 * and version of the policy. Call, approval and audit events of one action show the same hash. Mutates in place, because
 * the decision is not shared yet.
 */
export function withActionHash(decision: Decision, tool: RegisteredTool, args: JsonObject, agent: string): Decision {
  decision.actionHash = sha256(canonicalJson([tool.name, args, definitionHash(tool), agent, decision.policyVersion]));
  return decision;
}
