import "server-only";
import type { Agent } from "@/contracts/agents/agents";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { findAgent } from "./find-agent";
import { presentAgent } from "./present-agent";
import { countTicks } from "./ticked-names";

/** @throws AppError `not_found`. */
export async function getAgent(actor: Authorized<"tools:read">, agentId: string): Promise<Agent> {
  return presentAgent(await findAgent(db(), actor.workspaceId, agentId), await countTicks(db(), agentId));
}
