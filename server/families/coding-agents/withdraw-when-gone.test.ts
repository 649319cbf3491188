import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { codingSessions } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { askCommand, askerOf, useCodingStage, waitingOf } from "@/server/testing/coding-agents/coding-stage";
import { getGuardedCall } from "./guarded-calls";
import { withdrawWhenGone } from "./withdraw-when-gone";

const stage = useCodingStage();
const wait = (id: string, seconds: number) => getGuardedCall(waitingOf(askerOf(stage)), id, seconds);

test("the question of a client that was killed is withdrawn, unless its session asks again", async () => {
  const gone = await askCommand(stage, "git push", { session: "gone" });
  const back = await askCommand(stage, "git push", { session: "back" });
  await withdrawWhenGone(askerOf(stage), { id: back.turnId, conversationId: back.conversationId }, 200);
  await db().update(codingSessions).set({ lastSeenAt: sql`now()` }).where(eq(codingSessions.conversationId, back.conversationId));
  await withdrawWhenGone(askerOf(stage), { id: gone.turnId, conversationId: gone.conversationId }, 200);
  expect(await wait(gone.id, 10)).toMatchObject({ status: "cancelled" });
  expect(await wait(back.id, 0)).toMatchObject({ status: "waiting" });
});
