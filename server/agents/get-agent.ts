import "server-only";
import type { Agent } from "@/contracts/agents";
import type { Holder } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { findAgent } from "./find-agent";
import { presentAgent } from "./present-agent";

/** @throws AppError `not_found`. */
export async function getAgent(actor: Holder<"tools:read">, agentId: string): Promise<Agent> {
  return presentAgent(await findAgent(db(), actor.workspaceId, agentId));
}
