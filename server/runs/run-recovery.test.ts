import { and, eq, gte } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { apiKeys, approvals, runMessages, runs, turns } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { forgetActors } from "@/server/auth/actor-cache";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { onSignal } from "@/server/platform/signals/bus";
import { calling, giveModel, rowOf, saying, start, transcriptOf, useRunStage } from "@/server/testing/models/run-stage";
import { approverActor, neverAborted, onlyApproval, type Stage } from "@/server/testing/stage";
import { activeRuns, findRunTask, handOverRuns, type RunTask } from "./active-runs";
import { claimOrphan, claimRun } from "./claim-run";
import { driveRun } from "./drive-run";
import { readRun } from "./read/load-run";
import { waitForRun } from "./read/wait-for-run";
import { lookAfterOwnRuns, recoverRuns } from "./recover-runs";

const stage = useRunStage();

/**
 * Leaves a run as a replica leaves it that is killed now: its row names a replica that is gone. The old task goes on without
 * knowing, as a replica that was only paused does.
 * @returns the old task; null when the run has not come to this version, or nobody works on it
 */
async function loseReplica(runId: string, version = 0): Promise<RunTask | null> {
  const isThere = and(eq(runs.id, runId), eq(runs.status, "running"), gte(runs.version, version));
  const lost = await db().update(runs).set({ claimedBy: newId() }).where(isThere).returning({ id: runs.id });
  const ghost = findRunTask(runId);
  if (lost.length === 0 || !ghost) return null;
  activeRuns().delete(runId);
  return ghost;
}

async function answerQuestions(stage: Stage): Promise<void> {
  const asked = await db().select().from(approvals).where(eq(approvals.status, "pending"));
  for (const { id, conversationId } of asked) {
    if (conversationId === stage.conversationId) await decideApproval(approverActor(stage), id, { decision: "approve", comment: "" });
  }
}

// Versions of this run: 1 reply, 2 waits, 3 claimed again, 4 results, 5 reply, 6 results, 7 end.
test.each([0, 1, 2, 3, 4, 5, 6])(
  "a run whose replica is lost after write %i goes on elsewhere, and no call runs twice",
  async (version) => {
    const server = await giveModel(stage, ({ body }) => {
      const results = (body.messages as { role: string }[]).filter(({ role }) => role === "tool").length;
      return [calling(["change", { text: "it" }]), calling(["look", { text: "it" }]), saying("Done.")][results] ?? saying("too far");
    });
    const ghosts: (RunTask | null)[] = [];
    let losing = Promise.resolve();
    const off = onSignal("run", ({ runId, delta }) => {
      if (delta) return;
      losing = losing.then(async () => {
        if (!ghosts[0]) ghosts[0] = await loseReplica(runId, version);
      });
    });
    const { id } = await start(stage, "Change it, then look", { wait: 0 });
    await vi.waitFor(
      async () => {
        await losing;
        await recoverRuns();
        await answerQuestions(stage);
        expect((await readRun(id)).status).toBe("succeeded");
      },
      { interval: 30 },
    );
    off();
    expect(ghosts).toEqual([expect.objectContaining({ runId: id })]);
    await ghosts[0]?.left;
    expect(stage.log).toEqual(["change it", "look it"]);
    expect(await transcriptOf(id)).toEqual([
      "user: Change it, then look",
      "assistant: change()",
      "tool: changed it",
      "assistant: look()",
      "tool: saw it",
      "assistant: Done.",
    ]);
    expect(await db().$count(turns, eq(turns.conversationId, stage.conversationId))).toBe(2);
    // A reply that was not stored is asked for again, and nothing else is.
    expect(server.requests.length).toBeLessThanOrEqual(4);
  },
);

test("a reply that was cut off by the end of its replica is asked for again", async () => {
  let isHeld = true;
  const server = await giveModel(stage, () => (isHeld ? { text: ["Once"], holdsUntil: new Promise(() => {}) } : saying("Whole.")));
  const { id } = await start(stage, "Hello", { wait: 0 });
  await vi.waitFor(() => expect(findRunTask(id)?.partial?.text).toBe("Once"));
  const ghost = await loseReplica(id);
  isHeld = false;
  await recoverRuns();
  expect(await waitForRun(id, 10, neverAborted)).toMatchObject({ status: "succeeded", answer: "Whole.", steps: 1 });
  expect(server.requests).toHaveLength(2);
  ghost?.stop.abort("lost");
  await ghost?.left;
  expect(await transcriptOf(id)).toEqual(["user: Hello", "assistant: Whole."]);
});

test("a server that stops hands its runs over, and another one goes on", async () => {
  let isHeld = true;
  await giveModel(stage, () => (isHeld ? { text: ["Once"], holdsUntil: new Promise(() => {}) } : saying("Whole.")));
  const { id } = await start(stage, "Hello", { wait: 0 });
  await vi.waitFor(() => expect(findRunTask(id)?.partial?.text).toBe("Once"));
  await handOverRuns();
  expect(await rowOf(id)).toMatchObject({ status: "queued", claimedBy: null });
  isHeld = false;
  await recoverRuns();
  expect(await waitForRun(id, 10, neverAborted)).toMatchObject({ status: "succeeded", answer: "Whole." });
});

test("one of several replicas takes up a run", async () => {
  await giveModel(stage, [calling(["change", { text: "it" }]), saying("Done.")]);
  const asked = await start(stage, "Change it");
  expect(await claimRun(asked.id)).toBeNull();
  await db()
    .update(turns)
    .set({ status: "completed", finishedAt: new Date(), claimedBy: null })
    .where(eq(turns.id, asked.turnId ?? ""));
  const claims = await Promise.all([1, 2, 3, 4].map(() => claimRun(asked.id)));
  const [owned, ...others] = claims.filter((row) => row !== null);
  expect(others).toEqual([]);
  if (!owned) throw new Error("nobody claimed the run");
  await db().update(runs).set({ claimedBy: newId() }).where(eq(runs.id, owned.id));
  const orphan = await rowOf(owned.id);
  const taken = (await Promise.all([1, 2, 3].map(() => claimOrphan(orphan)))).filter((row) => row !== null);
  expect(taken).toHaveLength(1);
  await Promise.all(taken.map((row) => driveRun(row).left));
  expect(await readRun(owned.id)).toMatchObject({ status: "succeeded", answer: "Done." });
});

test("a turn that ends without a signal wakes its run all the same", async () => {
  await giveModel(stage, [calling(["change", { text: "it" }]), saying("Done.")]);
  const asked = await start(stage, "Change it");
  const { id: approvalId } = await onlyApproval(asked.turnId ?? "");
  await db()
    .update(turns)
    .set({ status: "cancelled", finishedAt: new Date() })
    .where(eq(turns.id, asked.turnId ?? ""));
  await db().update(approvals).set({ status: "cancelled" }).where(eq(approvals.id, approvalId));
  await recoverRuns();
  expect(await waitForRun(asked.id, 10, neverAborted)).toMatchObject({ status: "succeeded" });
});

test("a replica leaves a run whose conversation was removed", async () => {
  await giveModel(stage, [{ text: ["Once"], holdsUntil: new Promise(() => {}) }]);
  const { id } = await start(stage, "Hello", { wait: 0 });
  await vi.waitFor(() => expect(findRunTask(id)?.partial?.text).toBe("Once"));
  const task = findRunTask(id);
  if (!task) throw new Error("no task");
  await db().delete(runs).where(eq(runs.id, id));
  task.startedAt = 0;
  await lookAfterOwnRuns();
  await task.left;
  expect(findRunTask(id)).toBeUndefined();
});

test("a run whose time is up when it is taken over has the results of the turn that its former owner submitted", async () => {
  await giveModel(stage, [calling(["change", { text: "it" }]), saying("Done.")]);
  const asked = await start(stage, "Change it");
  // As its owner left it that was killed after the turn and before the results were stored.
  const past = new Date(0);
  await decideApproval(approverActor(stage), (await onlyApproval(asked.turnId ?? "")).id, { decision: "approve", comment: "" });
  await vi.waitFor(async () => expect((await readRun(asked.id)).status).toBe("succeeded"));
  await db()
    .delete(runMessages)
    .where(and(eq(runMessages.runId, asked.id), gte(runMessages.position, 2)));
  const orphan = { status: "running", claimedBy: newId(), finishedAt: null, messageCount: 2, deadlineAt: past, answer: null } as const;
  await db().update(runs).set(orphan).where(eq(runs.id, asked.id));
  await recoverRuns();
  expect(await waitForRun(asked.id, 10, neverAborted)).toMatchObject({ status: "limited", limit: "time" });
  expect((await transcriptOf(asked.id)).at(-1)).toBe("tool: changed it");
  expect(stage.log).toEqual(["change it"]);
});

test("a run does not go on for a key that was revoked", async () => {
  const server = await giveModel(stage, [calling(["change", { text: "it" }]), saying("never")]);
  const asked = await start(stage, "Change it");
  await db().update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, stage.built.agentKey.id));
  forgetActors();
  const done = waitForRun(asked.id, 10, neverAborted);
  await decideApproval(approverActor(stage), (await onlyApproval(asked.turnId ?? "")).id, { decision: "reject", comment: "no" });
  expect(await done).toMatchObject({ status: "failed", error: expect.stringContaining("revoked") });
  expect(server.requests).toHaveLength(1);
});
