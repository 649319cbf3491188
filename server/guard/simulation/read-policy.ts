import "server-only";
import { eq } from "drizzle-orm";
import { guardConfig } from "@/db/schema";
import { db } from "@/server/platform/database";
import { rulesInOrder } from "../rules/change-policy";
import { settingsOf } from "../rules/policy-settings";
import { presentRule } from "../rules/present-rule";
import type { Changeable } from "./plan-change";

/** What can be changed of a workspace's policy, all of one moment. */
export function readPolicy(workspaceId: string): Promise<Changeable & { policyVersion: number }> {
  return db().transaction(
    async (tx) => {
      const [config] = await tx.select().from(guardConfig).where(eq(guardConfig.workspaceId, workspaceId));
      if (!config) throw new Error("this workspace has no policy");
      const rules = (await rulesInOrder(tx, workspaceId)).map(presentRule);
      return { config: settingsOf(config), policyVersion: config.policyVersion, rules };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}
