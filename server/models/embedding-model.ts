import type { NamedModel } from "@/contracts/models/models";

/** Names a model in the rows of its embeddings. */
export const modelKey = ({ providerId, model }: NamedModel): string => `${providerId}/${model}`;
