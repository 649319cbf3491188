import "server-only";
import type { NamedModel } from "@/contracts/models";
import type { Db } from "@/db/client";
import { AppError } from "@/server/platform/errors";
import { providersInOrder } from "./find-provider";

/** Names a model in the rows of its embeddings. */
export const modelKey = ({ providerId, model }: NamedModel): string => `${providerId}/${model}`;

/** Checks the provider of a member named `embeddingModel`. @throws AppError `invalid` */
export async function assertEmbeds(tx: Db, workspaceId: string, { providerId }: NamedModel): Promise<void> {
  const provider = (await providersInOrder(tx, workspaceId)).find(({ id }) => id === providerId);
  if (!provider) refuse("names a provider that does not exist. GET /api/v1/model-providers lists them.");
  if (provider.kind === "anthropic") refuse(`names ${provider.name}, which offers no embeddings. Choose another provider.`);
}

function refuse(message: string): never {
  throw new AppError("invalid", `embeddingModel: ${message}`, { errors: [{ path: "embeddingModel", message }] });
}
