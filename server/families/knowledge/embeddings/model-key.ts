import type { KnowledgeEmbeddingModel } from "@/contracts/knowledge";

/** Names a model in the rows of its embeddings. */
export const modelKey = ({ providerId, model }: KnowledgeEmbeddingModel): string => `${providerId}/${model}`;
