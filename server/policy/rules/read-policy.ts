import "server-only";
import { eq } from "drizzle-orm";
import type { GuardConfigPatch, GuardRule } from "@/contracts/guard/guard";
import { guardConfig } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { rulesInOrder } from "../change-policy";
import { toPolicySettings } from "./policy-settings";
import { presentRule } from "./present-rule";

/** The changeable part of a policy: its settings and the workspace's own rules. */
export type Changeable = { config: Required<GuardConfigPatch>; rules: readonly GuardRule[] };

/** Reads the changeable part of a workspace's policy from one database snapshot. */
export function readPolicy(workspaceId: string): Promise<Changeable & { policyVersion: number }> {
  return db().transaction(
    async (tx) => {
      const [config] = await tx.select().from(guardConfig).where(eq(guardConfig.workspaceId, workspaceId));
      if (!config) throw new Error("this workspace has no policy");
      const rules = (await rulesInOrder(tx, workspaceId)).map(presentRule);
      return { config: toPolicySettings(config), policyVersion: config.policyVersion, rules };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}
