import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { workspaces } from "@/db/schema";
import { buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { db } from "../database/database";
import { signalHere } from "./bus";
import { awaitConfigVersion, loadConfigVersion, versionedCache } from "./versioned-cache";

useTestDatabase();

let workspaceId: string;
beforeEach(async () => {
  workspaceId = (await buildWorkspace()).workspace.id;
});

/** Changes the configuration without sending a signal. */
async function raise(): Promise<number> {
  const [row] = await db()
    .update(workspaces)
    .set({ configVersion: sql`${workspaces.configVersion} + 1` })
    .where(eq(workspaces.id, workspaceId))
    .returning();
  return row?.configVersion ?? 0;
}

test("a version is remembered until somebody says that it changed, and no longer than two seconds", async () => {
  const first = await loadConfigVersion(workspaceId);
  await raise();
  expect(await loadConfigVersion(workspaceId)).toBe(first);
  signalHere({ topic: "config", workspaceId });
  expect(await loadConfigVersion(workspaceId)).toBe(first + 1);
  await raise();
  expect(await loadConfigVersion(workspaceId)).toBe(first + 1);
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 2_001);
  expect(await loadConfigVersion(workspaceId)).toBe(first + 2);
  clock.mockRestore();
});

test("a change of this process is seen at once, before any signal of it comes", async () => {
  const first = await loadConfigVersion(workspaceId);
  awaitConfigVersion(workspaceId, first + 1);
  await raise();
  expect(await loadConfigVersion(workspaceId)).toBe(first + 1);
});

test("a change that was rolled back is not waited for longer than five seconds", async () => {
  const first = await loadConfigVersion(workspaceId);
  awaitConfigVersion(workspaceId, first + 1);
  expect(await loadConfigVersion(workspaceId)).toBe(first);
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 5_001);
  expect(await loadConfigVersion(workspaceId)).toBe(first);
  await raise();
  expect(await loadConfigVersion(workspaceId)).toBe(first);
  clock.mockRestore();
});

test("a signal that comes while the row is read is not lost: it may be about a later change", async () => {
  const firstRead = loadConfigVersion(workspaceId);
  signalHere({ topic: "config", workspaceId });
  const first = await firstRead;
  await raise();
  expect(await loadConfigVersion(workspaceId)).toBe(first + 1);
  signalHere({ topic: "config", workspaceId });
  const reading = loadConfigVersion(workspaceId);
  signalHere({ topic: "config", workspaceId });
  expect(await reading).toBe(first + 1);
  await raise();
  expect(await loadConfigVersion(workspaceId)).toBe(first + 2);
});

test("a value of a configuration is made once a version, and a failure is not kept", async () => {
  let made = 0;
  const cached = versionedCache("test", async () => {
    made += 1;
    if (made === 1) throw new Error("not yet");
    return made;
  });
  await expect(cached(workspaceId)).rejects.toThrow("not yet");
  expect(await Promise.all([cached(workspaceId), cached(workspaceId)])).toEqual([2, 2]);
  await raise();
  signalHere({ topic: "config", workspaceId });
  expect(await cached(workspaceId)).toBe(3);
});
