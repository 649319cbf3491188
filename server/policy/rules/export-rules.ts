import "server-only";
import type { Answer } from "@/contracts/endpoint";
import { guardFormats } from "@/contracts/guard/guard";
import type { policyEndpoints } from "@/contracts/guard/policy";
import type { Authorized } from "@/server/auth/actor";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { readPolicy } from "./read-policy";

/** Exports rules and settings of the actor's workspace. The answer's schema drops members without meaning elsewhere. */
export async function exportRules({ workspaceId }: Authorized<"guard:read">): Promise<Answer<typeof policyEndpoints.exportRules>> {
  const { config, rules } = await readPolicy(workspaceId);
  const { enabled: _, ...settings } = config;
  return { schema: guardFormats[0], exportedAt: sharedNow().toISOString(), count: rules.length, settings, rules: [...rules] };
}
