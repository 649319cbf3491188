import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { JSONValue, TransactionSql } from "postgres";
import { adminEmail, adminPassword } from "./product";
import { productDatabase } from "./product-database";

/** A workspace that nobody else works in. */
export type Workspace = {
  /** Its owner, who signs in with the password of the product's admin. */
  owner: { email: string; password: string };
  /** The key of its default agent. */
  agentKey: string;
};

/**
 * A copy of the workspace that the product's first start has made: its policy, its default agent with a key, its builtin tools
 * and its owner. The API has no way to make a workspace yet.
 */
export async function makeWorkspace(dataDir: string): Promise<Workspace> {
  const key = newKey();
  const sql = await productDatabase(dataDir);
  try {
    const email = await sql.begin(async (tx) => {
      const [made] = await tx`select workspace_id as first, uuidv7() as workspace_id, uuidv7() as agent_id, uuidv7() as user_id
        from memberships where user_id = (select id from users where email = ${adminEmail})`;
      if (!made) throw new Error("The product has no first workspace");
      const { first, workspace_id, agent_id, user_id } = made;
      const email = `owner-${workspace_id}@example.com`;
      const copyOf = (table: string, changes: Record<string, JSONValue> = {}) =>
        copyRows(tx, table, tx`workspace_id = ${first}`, { workspace_id, ...changes });
      await copyRows(tx, "workspaces", tx`id = ${first}`, { id: workspace_id, slug: workspace_id });
      await copyOf("guard_config");
      await copyOf("guard_versions");
      for (const { id, copy } of await tx`select id, uuidv7() as copy from guard_rules where workspace_id = ${first}`) {
        await copyRows(tx, "guard_rules", tx`id = ${id}`, { id: copy, workspace_id });
        // A version that is restored brings its rules back under their ids.
        await tx`update guard_versions set snapshot = replace(snapshot::text, ${id}, ${copy})::jsonb where workspace_id = ${workspace_id}`;
      }
      await copyOf("agents", { id: agent_id });
      await copyOf("tools");
      await copyRows(tx, "users", tx`email = ${adminEmail}`, { id: user_id, email });
      await copyOf("memberships", { user_id });
      await copyOf("api_keys", { agent_id, prefix: key.prefix, hash: key.hash });
      return email;
    });
    return { owner: { email, password: adminPassword }, agentKey: key.secret };
  } finally {
    await sql.end();
  }
}

/** Copies rows with a new id each and these columns changed. */
function copyRows(tx: TransactionSql, table: string, which: ReturnType<TransactionSql>, changes: Record<string, JSONValue>) {
  return tx`insert into ${tx(table)}
    select (jsonb_populate_record(original, jsonb_build_object('id', uuidv7()) || ${tx.json(changes)})).*
    from ${tx(table)} as original where ${which}`;
}

/** A second workspace of the product without tools. Answers an API key in it that may do everything there. */
export async function makeStrangersWorkspace(dataDir: string): Promise<string> {
  const sql = await productDatabase(dataDir);
  const workspaceId = randomUUID();
  const key = newKey();
  const creator = sql.json({ type: "system", id: "handrail", name: "Handrail" });
  try {
    await sql`insert into workspaces (id, slug, name) values (${workspaceId}, 'other', 'Other')`;
    await sql`insert into guard_config (workspace_id) values (${workspaceId})`;
    await sql`insert into agents (id, workspace_id, name, is_default) values (${randomUUID()}, ${workspaceId}, 'default', true)`;
    await sql`insert into api_keys (id, workspace_id, name, prefix, hash, scopes, created_by)
      values (${randomUUID()}, ${workspaceId}, 'Stranger', ${key.prefix}, ${key.hash}, ${sql.json(["admin"])}, ${creator})`;
  } finally {
    await sql.end();
  }
  return key.secret;
}

function newKey(): { secret: string; prefix: string; hash: string } {
  const secret = `hr_${randomBytes(32).toString("base64url")}`;
  return { secret, prefix: secret.slice(0, 10), hash: createHash("sha256").update(secret).digest("hex") };
}
