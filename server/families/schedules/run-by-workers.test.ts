import { expect, test } from "vitest";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { useStage } from "@/server/testing/stage";
import { insertSchedule } from "./insert-schedule";
import { listScheduleRuns } from "./list-schedules";

const stage = useStage();

test("the engine of durable work runs a schedule by itself, as soon as it is due", async () => {
  const { workspace, agent, admin, viewer } = stage.built;
  const { id: scheduleId } = await db().transaction((tx) =>
    insertSchedule(tx, {
      workspaceId: workspace.id,
      agentId: agent.id,
      conversationId: stage.conversationId,
      settings: {
        name: "watch",
        action: "prompt",
        text: "Look",
        timing: { kind: "interval", everySeconds: 60 },
        timezone: "UTC",
        missed: "run_once",
        enabled: true,
      },
      createdBy: admin,
      takenName: "refuse",
      immediate: true,
    }),
  );
  const runs = async () => (await listScheduleRuns(authorize(viewer, "turns:read"), { scheduleId })).items;
  await expect.poll(runs).toMatchObject([{ status: "started", trigger: "clock", text: "Look" }]);
});
