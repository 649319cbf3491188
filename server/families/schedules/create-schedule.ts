import "server-only";
import { and, eq, or } from "drizzle-orm";
import { z } from "zod";
import type { Schedule, ScheduleDraft } from "@/contracts/automation/schedules";
import type { Db } from "@/db/client";
import { agents } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { maySee } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { insertSchedule } from "./insert-schedule";
import { presentSchedule } from "./present-schedule";

/** Adds a schedule of a person or a program. @throws AppError `conflict` for a taken name, `invalid` for a timing that never runs */
export async function createSchedule(
  actor: Authorized<"schedules:write">,
  { agent: asked, ...settings }: ScheduleDraft,
): Promise<Schedule> {
  return db().transaction(async (tx) => {
    const agent = await chooseAgent(tx, actor, asked);
    const row = await insertSchedule(tx, {
      workspaceId: actor.workspaceId,
      agentId: agent.id,
      conversationId: null,
      settings,
      createdBy: actor,
      requestId: actor.requestId,
      takenName: "refuse",
    });
    return presentSchedule(row, agent.name);
  });
}

async function chooseAgent(tx: Db, actor: Authorized<"schedules:write">, asked: string | undefined) {
  const wanted = asked
    ? or(eq(agents.name, asked), z.uuid().safeParse(asked).success ? eq(agents.id, asked) : undefined)
    : actor.agentId
      ? eq(agents.id, actor.agentId)
      : eq(agents.isDefault, true);
  const [agent] = await tx
    .select({ id: agents.id, name: agents.name })
    .from(agents)
    .where(and(eq(agents.workspaceId, actor.workspaceId), wanted));
  if (agent && maySee(actor, { agentId: agent.id })) return agent;
  const message = asked ? `There is no agent "${asked}" in this workspace.` : "This workspace has no default agent. Name one.";
  throw new AppError("invalid", message, { errors: [{ path: "agent", message }] });
}
