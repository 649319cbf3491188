import "server-only";
import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import { z } from "zod";
import { JsonObject } from "@/contracts/common";
import type { ModelRef } from "./model-request";

/** One part of an answer in its order. Text and arguments stay out, because hooks may have changed them. */
const AnswerPart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("reasoning"), text: z.string(), metadata: JsonObject.optional() }),
  z.object({ type: z.literal("text"), metadata: JsonObject.optional() }),
  z.object({ type: z.literal("call"), id: z.string(), metadata: JsonObject.optional() }),
]);
export type AnswerPart = z.infer<typeof AnswerPart>;

const ProviderData = z.object({ providerId: z.string(), model: z.string(), parts: z.array(AnswerPart) });

/** Returns the data that the next request sends back; null when the answer has no thinking and no signature. */
export function toProviderData({ providerId, model }: ModelRef, parts: readonly AnswerPart[]): JsonObject | null {
  const isNeeded = parts.some((part) => part.type === "reasoning" || part.metadata);
  return isNeeded ? JsonObject.parse(JSON.parse(JSON.stringify({ providerId, model, parts }))) : null;
}

/** Returns the parts of an answer of exactly this model, otherwise null: another model refuses foreign signatures. */
export function readProviderData(data: JsonObject | null, ref: ModelRef): AnswerPart[] | null {
  const read = ProviderData.safeParse(data);
  return read.success && read.data.providerId === ref.providerId && read.data.model === ref.model ? read.data.parts : null;
}

/** Adds the metadata of a streamed piece to its part. */
export function addMetadata(part: AnswerPart, metadata: SharedV4ProviderMetadata | undefined): void {
  if (!metadata) return;
  const merged: Record<string, object> = { ...(part.metadata as Record<string, object> | undefined) };
  for (const [provider, values] of Object.entries(metadata)) {
    if (Object.keys(values).length > 0) merged[provider] = { ...merged[provider], ...values };
  }
  if (Object.keys(merged).length > 0) part.metadata = merged as JsonObject;
}
