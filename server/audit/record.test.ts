import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "@/db/schema";
import { toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { record } from "./record";

useTestDatabase();

const eventsOf = (workspaceId: string) => db().select().from(auditEvents).where(eq(auditEvents.workspaceId, workspaceId));

test("events of a transaction stand in the audit with their secrets masked", async () => {
  const { workspace, admin } = await buildWorkspace();
  await db().transaction((tx) =>
    record(tx, {
      workspaceId: workspace.id,
      event: "tool.updated",
      actor: admin,
      subject: "shell_execute",
      data: { command: "export PASSWORD=hunter2hunter2", apiKey: "a-long-secret-value" },
    }),
  );
  const [event, ...others] = await eventsOf(workspace.id);
  expect(others).toEqual([]);
  expect(event).toMatchObject({ event: "tool.updated", actorId: admin.id, actorName: toActorRef(admin).name, subject: "shell_execute" });
  expect(JSON.stringify(event?.data)).not.toContain("hunter2hunter2");
  expect(event?.data).toMatchObject({ apiKey: "a-***ue" });
});

test("a transaction that is rolled back leaves no audit row", async () => {
  const { workspace, admin } = await buildWorkspace();
  const change = db().transaction(async (tx) => {
    await record(tx, { workspaceId: workspace.id, event: "tool.updated", actor: admin, subject: "read_file" });
    throw new Error("the change failed");
  });
  await expect(change).rejects.toThrow("the change failed");
  expect(await eventsOf(workspace.id)).toEqual([]);
});

test("an audit row can neither be changed nor deleted", async () => {
  const { workspace, admin } = await buildWorkspace();
  await record(db(), { workspaceId: workspace.id, event: "tool.updated", actor: admin, subject: "read_file" });
  const ours = eq(auditEvents.workspaceId, workspace.id);
  const refusal = { cause: expect.objectContaining({ message: "audit events are append-only" }) };
  await expect(db().update(auditEvents).set({ subject: "another" }).where(ours)).rejects.toMatchObject(refusal);
  await expect(db().delete(auditEvents).where(ours)).rejects.toMatchObject(refusal);
  expect(await eventsOf(workspace.id)).toMatchObject([{ subject: "read_file" }]);
});
