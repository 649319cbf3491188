import "server-only";
import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Permission } from "@/contracts/permissions";
import { agents, apiKeys, guardConfig, guardRules, guardVersions, memberships, users, workspaces } from "@/db/schema";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { createApiKeySecret } from "@/server/auth/api-keys/api-key-secret";
import { hashPassword } from "@/server/auth/sign-in/password";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { families } from "@/server/families";
import { collectFamilies } from "@/server/families/collect-families";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { toPolicySettings } from "@/server/policy/rules/policy-settings";
import { presentRule } from "@/server/policy/rules/present-rule";

/** The credentials of the first workspace, which are shown only once. */
export type FirstCredentials = { email: string; password: string; isPasswordGenerated: boolean; agentKey: string };

const agentKeyScopes: Permission[] = ["turns:write", "tools:read"];

/**
 * Creates the first workspace with its owner, default agent, policy and an API key for an agent runtime, all or nothing.
 * Returns null when a workspace exists already; an advisory lock makes this safe when several replicas start at once.
 *
 * @param admin a null password is replaced by a random one
 */
export async function bootstrapWorkspace(admin: { email: string; password: string | null }): Promise<FirstCredentials | null> {
  if (await hasWorkspace(db())) return null;
  const password = admin.password ?? randomBytes(15).toString("base64url");
  const passwordHash = await hashPassword(password);
  const secret = createApiKeySecret();
  // Before the lock is taken, because the first check of the sandbox starts programs.
  const firstRules = sandboxStatus().isOn ? [] : collectFamilies(families).rulesWithoutSandbox;

  return db().transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('bootstrap', 0))`);
    if (await hasWorkspace(tx)) return null;

    const workspace = { id: newId(), slug: "main", name: "Main" };
    const agent = { id: newId(), name: "default", description: "Used when a conversation names no agent", isDefault: true };
    const user = { id: newId(), email: admin.email, name: "Admin" };
    const key = { id: newId(), name: "First agent key", prefix: secret.prefix, scopes: agentKeyScopes, agentId: agent.id };
    const workspaceId = workspace.id;

    await tx.insert(workspaces).values(workspace);
    const [config] = await tx.insert(guardConfig).values({ workspaceId }).returning();
    if (!config) throw new Error("The policy was not inserted");
    const { policyVersion } = config;
    const first = firstRules.map((rule) => ({ ...rule, workspaceId }));
    const rules = first.length === 0 ? [] : await tx.insert(guardRules).values(first).returning();
    await tx.insert(guardVersions).values({
      workspaceId,
      version: policyVersion,
      snapshot: { config: toPolicySettings(config), rules: rules.map(presentRule) },
      summary: "The policy of a new workspace",
      actor: systemActor,
    });
    await tx.insert(agents).values({ ...agent, workspaceId });
    await tx.insert(users).values({ ...user, passwordHash });
    await tx.insert(memberships).values({ workspaceId, userId: user.id, role: "owner" });
    await tx.insert(apiKeys).values({ ...key, workspaceId, hash: secret.hash, createdBy: systemActor });
    const made = { workspaceId, actor: systemActor };
    await record(
      tx,
      { ...made, event: "workspace.created", subject: workspace.id, data: { name: workspace.name } },
      { ...made, event: "agent.created", subject: agent.id, data: { name: agent.name } },
      { ...made, event: "user.created", subject: user.id, data: { email: user.email, name: user.name, role: "owner" } },
      {
        ...made,
        event: "api_key.created",
        subject: key.id,
        data: { name: key.name, prefix: key.prefix, scopes: key.scopes, agentId: agent.id },
      },
    );
    return { email: admin.email, password, isPasswordGenerated: admin.password === null, agentKey: secret.key };
  });
}

async function hasWorkspace(tx: Pick<ReturnType<typeof db>, "select">): Promise<boolean> {
  const [found] = await tx.select({ id: workspaces.id }).from(workspaces).limit(1);
  return found !== undefined;
}
