import "server-only";
import { and, eq } from "drizzle-orm";
import type { ToolCallMode } from "@/contracts/models/models";
import { modelProviders } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import type { ProviderAccess } from "./make-language-model";
import { ModelFault } from "./model-fault";
import type { ModelRef } from "./model-request";
import { storedAccess } from "./provider-access";

/** Loads the access to the provider of a model, and how the model calls tools. @throws ModelFault for a removed or disabled provider */
export async function loadProvider(
  workspaceId: string,
  { providerId, model }: ModelRef,
): Promise<{ access: ProviderAccess; toolCalls: ToolCallMode }> {
  const [row] = await db()
    .select()
    .from(modelProviders)
    .where(and(eq(modelProviders.workspaceId, workspaceId), eq(modelProviders.id, providerId)));
  if (!row) throw new ModelFault(`The provider of ${model} was removed. Choose another model.`, false);
  if (!row.enabled) throw new ModelFault(`The provider ${row.name} is disabled. Enable it in Settings → Models.`, false);
  const offered = row.models.find(({ name }) => name === model);
  return { access: storedAccess(row), toolCalls: offered?.toolCalls ?? "auto" };
}
