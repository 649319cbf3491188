import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { conversations, schedules, workflows } from "@/db/schema";
import { toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { connectMessenger } from "@/server/testing/messengers/messenger-stage";
import { calling, giveModel, saying, useRunStage } from "@/server/testing/models/run-stage";
import { startTelegramServer, telegramToken } from "@/server/testing/platforms/telegram-server";
import { buildTools } from "@/server/testing/test-tools";
import { defineTool } from "@/server/tools/define-tool";
import { runScheduleNow } from "./schedules/run-schedule";
import { insertRun } from "./workflows/workflow-runs";

process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";
const stage = useRunStage();

test("results of a schedule, a reminder and a workflow come back to the chat where they were ordered, once", async () => {
  const telegram = await startTelegramServer();
  onTestFinished(() => telegram.close());
  const shown = () => [...telegram.messages.values()].map(({ text }) => String(text));
  const until = (text: string | RegExp) =>
    expect.poll(() => shown().some((one) => (typeof text === "string" ? one.includes(text) : text.test(one)))).toBe(true);
  await giveModel(stage, [saying("Hello."), saying("The morning is fine."), saying("The step is done.")]);
  const account = { settings: { apiUrl: telegram.url }, secrets: { token: telegramToken }, streams: false };
  await connectMessenger(stage, { platform: "telegram", transport: "connection", ...account });
  telegram.message("Hello");
  await until("Hello.");
  const [ordered] = await db().select().from(conversations).where(eq(conversations.channel, "telegram:private"));
  const { id: workspaceId } = stage.built.workspace;
  const scheduleOf = (name: string, action: "prompt" | "reminder") => ({
    ...{ workspaceId, agentId: stage.built.agent.id, conversationId: ordered?.id ?? "", name, action, text: `Text of ${name}` },
    timing: { kind: "interval" as const, everySeconds: 3_600 },
    ...{
      timezone: "UTC",
      missed: "run_once" as const,
      nextRunAt: new Date(Date.now() + 3_600_000),
      createdBy: toActorRef(stage.built.admin),
    },
  });
  const rows = await db()
    .insert(schedules)
    .values([scheduleOf("Morning", "prompt"), scheduleOf("Water", "reminder")])
    .returning();
  for (const { id } of rows) await runScheduleNow(authorize(stage.built.admin, "schedules:write"), id);
  await until(/<b>Water<\/b>\s+Text of Water/);
  await until(/<b>Morning<\/b>\s+The morning is fine\./);
  const steps = [{ name: "One", agentId: stage.built.agent.id, prompt: "{input}" }];
  const plan = { kind: "sequential" as const, steps, maxRounds: 1, stopText: "" };
  const [workflow] = await db()
    .insert(workflows)
    .values({ workspaceId, name: "Report", description: "", plan, createdBy: toActorRef(stage.built.admin) })
    .returning();
  if (!workflow) throw new Error("no workflow");
  expect(shown().filter((text) => text.includes("Morning"))).toHaveLength(1);
  const start = { input: "Go", idempotencyKey: null, by: stage.built.admin, orderedIn: ordered?.id ?? "" };
  await db().transaction((tx) => insertRun(tx, workflow, start));
  await until(/<b>Report<\/b>\s+The step is done\./);
});

test("a background call that ends after its run is told in the chat where it was ordered, once", async () => {
  const telegram = await startTelegramServer();
  onTestFinished(() => telegram.close());
  const shown = () => [...telegram.messages.values()].map(({ text }) => String(text));
  const film = defineTool({
    ...{ name: "film", title: "Film", description: "Works in the background", family: "probe", tier: "core", effect: "read" },
    ...{ needs: [], running: { backgroundable: true }, input: z.object({}) },
    execute: async () => {
      await stage.gate.opened;
      return "the film is ready";
    },
  });
  await buildTools(stage.built.workspace.id, [film], { alias: "films" });
  await giveModel(stage, [calling(["film", { runInBackground: true }]), saying("It is being made."), saying("Bye.")]);
  const account = { settings: { apiUrl: telegram.url }, secrets: { token: telegramToken }, streams: false };
  await connectMessenger(stage, { platform: "telegram", transport: "connection", ...account });
  telegram.message("Make a film");
  await expect.poll(shown).toContain("It is being made.");
  stage.gate.open();
  await expect.poll(() => shown().join("\n")).toMatch(/Finished: film<\/b>\s+the film is ready/);
  telegram.message("Thanks");
  await expect.poll(shown).toContain("Bye.");
  expect(shown().filter((text) => text.includes("the film is ready"))).toHaveLength(1);
});
