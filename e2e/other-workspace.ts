import { createHash, randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import postgres from "postgres";

/**
 * A second workspace in the product's database, which the API has no way to make yet. Answers an API key in it that may
 * do everything there.
 */
export async function makeOtherWorkspace(dataDir: string): Promise<string> {
  const password = (await readFile(path.join(dataDir, "postgres-password"), "utf8")).trim();
  const port = (await readFile(path.join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n")[3];
  const sql = postgres(`postgres://handrail:${password}@127.0.0.1:${port}/handrail`, { max: 1, onnotice: () => {} });
  const workspaceId = randomUUID();
  const agentId = randomUUID();
  const key = `hr_${randomBytes(32).toString("base64url")}`;
  const hash = createHash("sha256").update(key).digest("hex");
  const creator = sql.json({ type: "system", id: "handrail", name: "Handrail" });
  try {
    await sql`insert into workspaces (id, slug, name) values (${workspaceId}, 'other', 'Other')`;
    await sql`insert into guard_config (workspace_id) values (${workspaceId})`;
    await sql`insert into agents (id, workspace_id, name, is_default) values (${agentId}, ${workspaceId}, 'default', true)`;
    await sql`insert into api_keys (id, workspace_id, name, prefix, hash, scopes, created_by)
      values (${randomUUID()}, ${workspaceId}, 'Stranger', ${key.slice(0, 10)}, ${hash}, ${sql.json(["admin"])}, ${creator})`;
  } finally {
    await sql.end();
  }
  return key;
}
