import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { approvals, turns } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { onlyApproval, submitCalls, useStage } from "@/server/testing/stage";
import { waitForActiveTurns } from "../active-turns";
import { loadTurn } from "../read/load-turn";
import { resumeAnswered } from "./resume-turn";

const stage = useStage();

test("an answered turn goes on though hundreds that were answered before it cannot be taken up", async () => {
  const broken = {
    workspaceId: newId(),
    conversationId: stage.conversationId,
    status: "suspended" as const,
    requestDigest: "",
    requestedBy: { type: "system" as const, id: "", name: "" },
    answeredAt: new Date(0),
  };
  await db()
    .insert(turns)
    .values(Array.from({ length: 250 }, () => broken));
  const asked = await submitCalls(stage, [["change", { text: "late" }]]);
  await db()
    .update(approvals)
    .set({ status: "approved" })
    .where(eq(approvals.id, (await onlyApproval(asked.id)).id));
  await db().update(turns).set({ answeredAt: sql`now()` }).where(eq(turns.id, asked.id));
  for (let looks = 0; looks < 2; looks++) {
    await resumeAnswered({ afterMs: 0 });
    await waitForActiveTurns();
  }
  expect(await loadTurn(asked.id)).toMatchObject({ turn: { status: "completed", answeredAt: null } });
  expect(stage.log).toEqual(["change late"]);
});
