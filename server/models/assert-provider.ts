import "server-only";
import type { NamedModel } from "@/contracts/models/models";
import type { Db } from "@/db/client";
import { AppError } from "@/server/platform/errors";
import { providersInOrder } from "./find-provider";
import { embedsTexts, writesDownSpeech } from "./make-language-model";

/** Works that only some providers do. */
const works = {
  embeddingModel: { isDoneBy: embedsTexts, lacks: "offers no embeddings" },
  speechModel: { isDoneBy: writesDownSpeech, lacks: "writes down no speech" },
} as const;

/** Checks the provider of a model for the work of its member. @throws AppError `invalid` that names the member */
export async function assertProvider(tx: Db, workspaceId: string, member: keyof typeof works, { providerId }: NamedModel): Promise<void> {
  const refuse = (message: string) => new AppError("invalid", `${member}: ${message}`, { errors: [{ path: member, message }] });
  const provider = (await providersInOrder(tx, workspaceId)).find(({ id }) => id === providerId);
  if (!provider) throw refuse("names a provider that does not exist. GET /api/v1/model-providers lists them.");
  const { isDoneBy, lacks } = works[member];
  if (!isDoneBy(provider.kind)) throw refuse(`names ${provider.name}, which ${lacks}. Choose another provider.`);
}
