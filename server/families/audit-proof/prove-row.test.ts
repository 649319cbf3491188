import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { record } from "@/server/audit/record";
import { db } from "@/server/platform/database/database";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { sealAll } from "@/server/testing/seal-all";
import { useTestDatabase } from "@/server/testing/test-database";
import { proveRow } from "./prove-row";

useTestDatabase();

test("the program of docs/audit.md proves each row of a seal, and no row that was changed", async () => {
  const { workspace, admin, viewer } = await buildWorkspace();
  const subjects = ["one", "two", "three", "four", "five"];
  await record(db(), ...subjects.map((subject) => ({ workspaceId: workspace.id, event: "tool.updated" as const, actor: admin, subject })));
  await sealAll(workspace.id);
  const folder = mkdtempSync(path.join(tmpdir(), "audit-proof-"));
  const [, program = ""] = /```js\n([\s\S]*?)```/.exec(readFileSync("docs/audit.md", "utf8")) ?? [];
  expect(program.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
  writeFileSync(path.join(folder, "check.mjs"), program);
  const check = (proof: object) => {
    writeFileSync(path.join(folder, "proof.json"), JSON.stringify(proof));
    return spawnSync(process.execPath, ["check.mjs", "proof.json"], { cwd: folder, encoding: "utf8" }).stdout;
  };
  const rows = await db().execute<{ id: string }>(sql`select id from audit_events where workspace_id = ${workspace.id} order by xid, id`);
  const reader = authorize(viewer, "audit:read");
  for (const [index, { id }] of rows.entries()) expect(check(await proveRow(reader, id))).toContain(`PROVEN: place ${index + 1},`);
  const proof = await proveRow(reader, rows[2]?.id ?? "");
  expect(check({ ...proof, payload: proof.payload?.replace("three", "free") })).toBe("NOT PROVEN: the payload is another one\n");
  expect(check({ ...proof, fields: proof.fields.replace("updated", "created") })).toBe("NOT PROVEN: the row is not under this seal\n");
});
