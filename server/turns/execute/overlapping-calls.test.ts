import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { agents, toolCalls, turns } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";
import { buildConversation } from "@/server/testing/builders";
import { submitCalls, useStage } from "@/server/testing/stage";
import { buildTools } from "@/server/testing/test-tools";
import { defineTool } from "@/server/tools/define-tool";

const stage = useStage();
const common = { title: "Probe", description: "Probes", family: "probe", tier: "core", effect: "read", needs: [] } as const;
const input = z.object({ text: z.string().default("") });

test("calls of one turn that are safe beside others run at the same time", async () => {
  const everybody = Promise.withResolvers<void>();
  let here = 0;
  const meet = defineTool({
    ...common,
    ...{
      name: "meet",
      running: { concurrencySafe: true },
      timeoutMs: 5_000,
      input,
    },
    execute: async () => {
      here += 1;
      if (here === 3) everybody.resolve();
      await everybody.promise;
      return "met";
    },
  });
  await buildTools(stage.built.workspace.id, [meet], { alias: "meeting" });
  // Each call ends only when all three have begun.
  const { calls } = await submitCalls(stage, [
    ["meet", { text: "a" }],
    ["meet", { text: "b" }],
    ["meet", { text: "c" }],
  ]);
  expect(calls.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
});

test("unsafe calls run one at a time: within a turn in order, and among the conversations of one folder", async () => {
  await db().update(agents).set({ sharedFolder: "team" }).where(eq(agents.id, stage.built.agent.id));
  const entered = Promise.withResolvers<void>();
  const mayLeave = Promise.withResolvers<void>();
  const alone = defineTool({
    ...common,
    ...{
      name: "alone",
      running: { concurrencySafe: false },
      input,
    },
    execute: async ({ text }) => {
      stage.log.push(`in ${text}`);
      if (text === "a") {
        entered.resolve();
        await mayLeave.promise;
      }
      stage.log.push(`out ${text}`);
      return text;
    },
  });
  await buildTools(stage.built.workspace.id, [alone], { alias: "room" });
  await db().transaction((tx) => bumpConfigVersion(tx, stage.built.workspace.id));
  const second = { ...stage, conversationId: (await buildConversation(stage.built.agentKey)).id };
  const first = submitCalls(stage, [
    ["alone", { text: "a" }],
    ["alone", { text: "b" }],
  ]);
  await entered.promise;
  const other = submitCalls(second, [["alone", { text: "c" }]]);
  // A call that waits for its folder is stored first; one that does not wait would be stored as running.
  const waiting = await vi.waitFor(async () => {
    const [row] = await db()
      .select({ status: toolCalls.status })
      .from(toolCalls)
      .innerJoin(turns, eq(turns.id, toolCalls.turnId))
      .where(eq(turns.conversationId, second.conversationId));
    if (!row) throw new Error("not stored yet");
    return row;
  });
  expect(waiting.status).toBe("pending");
  expect(stage.log).toEqual(["in a"]);
  mayLeave.resolve();
  expect((await first).calls.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  expect((await other).calls[0]).toMatchObject({ status: "succeeded" });
  expect(stage.log.slice(0, 2)).toEqual(["in a", "out a"]);
  for (const text of ["b", "c"]) expect(stage.log[stage.log.indexOf(`in ${text}`) + 1]).toBe(`out ${text}`);
});
