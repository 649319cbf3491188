import "server-only";
import type { Hook } from "@/contracts/hooks/hooks";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { findHook } from "./find-hook";
import { presentHook } from "./present-hook";

/** @throws AppError `not_found`. */
export async function getHook(actor: Authorized<"guard:read">, hookId: string): Promise<Hook> {
  return presentHook(await findHook(db(), actor.workspaceId, hookId), actor);
}
