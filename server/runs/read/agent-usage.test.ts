import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { runs } from "@/db/schema";
import { requirePermission } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { calling, giveModel, saying, start, useRunStage } from "@/server/testing/models/run-stage";
import { runtimeActor } from "@/server/testing/stage";
import { getAgentUsage } from "./agent-usage";
import { listRuns } from "./load-run";

const stage = useRunStage();
const reader = () => requirePermission(runtimeActor(stage), "turns:read");

test("usage is summed by the day on which a run began, and says which runs have no known price", async () => {
  await giveModel(stage, [{ text: ["One."], usage: { input: 100, cached: 40, output: 10 } }], {
    prices: { inputPrice: 1, cachedInputPrice: 0.5, outputPrice: 10 },
  });
  const priced = await start(stage, "First");
  await giveModel(stage, [{ text: ["Two."], usage: { input: 7, cached: 0, output: 3 } }]);
  const unpriced = await start(stage, "Second");
  await db().update(runs).set({ createdAt: sql`now() - interval '1 day'` }).where(eq(runs.id, priced.id));
  const agentId = stage.built.agent.id;
  const usage = await getAgentUsage(reader(), agentId, 30);
  expect(usage.days).toEqual([
    {
      day: unpriced.createdAt.slice(0, 10),
      runs: 1,
      steps: 1,
      inputTokens: 7,
      cachedInputTokens: 0,
      outputTokens: 3,
      costUsd: 0,
      unpricedRuns: 1,
      estimatedRuns: 0,
    },
    expect.objectContaining({
      runs: 1,
      inputTokens: 100,
      cachedInputTokens: 40,
      outputTokens: 10,
      costUsd: expect.closeTo(180e-6, 9),
      unpricedRuns: 0,
      estimatedRuns: 0,
    }),
  ]);
  expect(usage.total).toMatchObject({ runs: 2, steps: 2, inputTokens: 107, outputTokens: 13, unpricedRuns: 1, estimatedRuns: 0 });
  expect((await getAgentUsage(reader(), agentId, 1)).days).toHaveLength(1);
});

test("an agent that is not there has no usage, and a key of another agent cannot read it", async () => {
  await expect(getAgentUsage(reader(), newId(), 30)).rejects.toMatchObject({ code: "not_found" });
  const other = requirePermission({ ...runtimeActor(stage), agentId: newId() }, "turns:read");
  await expect(getAgentUsage(other, stage.built.agent.id, 30)).rejects.toMatchObject({ code: "not_found" });
});

test("the run of a turn is found by the turn, and a turn that no run submitted has none", async () => {
  await giveModel(stage, [calling(["look", { text: "a" }]), calling(["look", { text: "b" }]), saying("Seen.")]);
  const run = await start(stage, "Look twice");
  const found = await listRuns(reader(), { turnId: run.turnId ?? "" });
  expect(found.items.map(({ id }) => id)).toEqual([run.id]);
  expect((await listRuns(reader(), { turnId: newId() })).items).toEqual([]);
});
