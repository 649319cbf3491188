import "server-only";
import { asc, eq } from "drizzle-orm";
import { z } from "zod";
import { type Schedule, ScheduleUpdate } from "@/contracts/automation/schedules";
import type { ActorRef } from "@/contracts/common";
import { agents, conversations, schedules as table } from "@/db/schema";
import { defineCapability } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database/database";
import { databaseNow } from "@/server/platform/database/database-time";
import { AppError } from "@/server/platform/errors";
import { lockSchedule } from "./find-schedule";
import { insertSchedule } from "./insert-schedule";
import { presentSchedule, type ScheduleRow } from "./present-schedule";
import { deleteSchedule } from "./remove-schedule";
import { changeSchedule } from "./update-schedule";

/** The schedules of a conversation's agent. */
export type SchedulesCapability = {
  create: (
    settings: z.input<typeof ScheduleUpdate>,
    options?: { takenName?: "number" | "refuse"; immediate?: boolean },
  ) => Promise<Schedule>;
  list: () => Promise<Schedule[]>;
  toggle: (scheduleId: string, enabled: boolean) => Promise<Schedule>;
  remove: (scheduleId: string) => Promise<void>;
  /** Returns the time in so many minutes, by the clock of the database. */
  timeIn: (minutes: number) => Promise<string>;
};

export const schedules = defineCapability({
  name: "schedules",
  title: "Schedules of the agent",
  isOfConversation: true,
  create: ({ conversationId, workspaceId, actor }) => schedulesOf({ conversationId, workspaceId, actor }),
});

type Scope = { conversationId: string; workspaceId: string; actor: ActorRef };

function schedulesOf({ conversationId, workspaceId, actor }: Scope): SchedulesCapability {
  const findAgent = async () => {
    const [agent] = await db()
      .select({ id: agents.id, name: agents.name })
      .from(conversations)
      .innerJoin(agents, eq(conversations.agentId, agents.id))
      .where(eq(conversations.id, conversationId));
    if (!agent) throw new AppError("not_found", "Cannot use schedules: agent context unavailable. The conversation was deleted.");
    return agent;
  };
  /** Changes one schedule of the agent under its lock. */
  const change = async (scheduleId: string, work: (tx: Parameters<typeof changeSchedule>[0], row: ScheduleRow) => Promise<ScheduleRow>) => {
    const agent = await findAgent();
    const id = z.uuid().safeParse(scheduleId.trim());
    if (!id.success) throw new AppError("not_found", `There is no job ${scheduleId}. The action list names the jobs of this agent.`);
    const viewer = { workspaceId, agentId: agent.id };
    const row = await db().transaction(async (tx) => work(tx, await lockSchedule(tx, viewer, id.data)));
    return presentSchedule(row, agent.name);
  };
  return {
    create: async (settings, { takenName = "number", immediate = false } = {}) => {
      const agent = await findAgent();
      const of = { workspaceId, agentId: agent.id, conversationId, createdBy: actor, takenName, immediate };
      const row = await db().transaction((tx) => insertSchedule(tx, { ...of, settings: ScheduleUpdate.parse(settings) }));
      return presentSchedule(row, agent.name);
    },
    list: async () => {
      const agent = await findAgent();
      const rows = await db().select().from(table).where(eq(table.agentId, agent.id)).orderBy(asc(table.id));
      return rows.map((row) => presentSchedule(row, agent.name));
    },
    toggle: (scheduleId, enabled) =>
      change(scheduleId, async (tx, row) => (row.enabled === enabled ? row : changeSchedule(tx, row, { enabled }, actor))),
    remove: async (scheduleId) => {
      await change(scheduleId, async (tx, row) => {
        await deleteSchedule(tx, row, actor);
        return row;
      });
    },
    timeIn: async (minutes) => new Date((await databaseNow(db())).getTime() + minutes * 60_000).toISOString(),
  };
}
