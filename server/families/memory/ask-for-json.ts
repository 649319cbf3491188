import "server-only";
import type { z } from "zod";
import { modelOfAgent } from "@/server/models/agent-model";
import { readJson } from "@/server/models/read-json";
import { AppError } from "@/server/platform/errors";

type Asked = { workspaceId: string; agentId: string; instructions: string; message: string; signal: AbortSignal };

/**
 * Asks an agent's model for JSON of a shape. The agent's own instructions are left out, because they are about answers to people.
 * @throws AppError `unavailable` when no model answers, and for another answer
 */
export async function askForJson<Shape extends z.ZodType>(
  shape: Shape,
  { workspaceId, agentId, ...question }: Asked,
): Promise<z.output<Shape>> {
  const reply = await modelOfAgent(workspaceId, agentId).ask(question);
  const parsed = shape.safeParse(readJson(reply));
  if (!parsed.success) throw new AppError("unavailable", "The agent's model did not answer with the notes that it was asked for.");
  return parsed.data;
}
