import type { JsonObject } from "@/contracts/common";
import { describeMismatch } from "./argument-check";
import { completeSchema } from "./input-schema";

/**
 * Returns how structured content differs from its tool's output schema; null when it fits. Also null for a schema that
 * cannot be checked, because that says nothing about the content.
 */
export function findMismatch(outputSchema: JsonObject, content: JsonObject): string | null {
  if (outputSchema.type === undefined || outputSchema.type === "object") {
    const { schema, fault } = completeSchema(outputSchema);
    return fault ? null : describeMismatch(schema, content);
  }
  // A server may return a list or a plain value, which stands in `result` here.
  const schema: JsonObject = { type: "object", properties: { result: outputSchema }, required: ["result"] };
  return describeMismatch(schema, content);
}
