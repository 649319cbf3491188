import "server-only";
import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { agents } from "@/db/schema";
import { askOnce, modelsOf } from "@/server/models/ask-agent";
import { readJson } from "@/server/models/read-json";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";

type Asked = { workspaceId: string; agentId: string; instructions: string; message: string; signal: AbortSignal };

/**
 * Asks an agent's model for JSON of a shape. The agent's own instructions are left out, because they are about answers to people.
 * @throws AppError `unavailable` when no model answers, and for another answer
 */
export async function askForJson<Shape extends z.ZodType>(shape: Shape, { agentId, ...asked }: Asked): Promise<z.output<Shape>> {
  const { workspaceId } = asked;
  const ofAgent = and(eq(agents.workspaceId, workspaceId), eq(agents.id, agentId));
  const [agent] = await db().select({ models: agents.models }).from(agents).where(ofAgent);
  const reply = await askOnce({ ...asked, models: await modelsOf(workspaceId, agent?.models ?? []) });
  const parsed = shape.safeParse(readJson(reply));
  if (!parsed.success) throw new AppError("unavailable", "The agent's model did not answer with the notes that it was asked for.");
  return parsed.data;
}
