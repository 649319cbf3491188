import type { KeptDefinition, tools } from "@/db/schema";
import { canonicalJson, sha256 } from "@/server/platform/crypto";

type ToolRow = typeof tools.$inferSelect;

/** The columns of a tool that its definition decides. */
export type DefinitionColumns = Pick<
  ToolRow,
  "rawName" | "title" | "description" | "inputSchema" | "schemaHash" | "primaryArgument" | "annotations" | "findings" | "contentHash"
>;

/** Converts a definition to the columns of its tool. */
export function toDefinitionColumns(definition: KeptDefinition): DefinitionColumns {
  const { rawName, title, description, inputSchema, primaryArgument, annotations, findings, contentHash } = definition;
  const schemaHash = sha256(canonicalJson(inputSchema));
  return { rawName, title, description, inputSchema, schemaHash, primaryArgument, annotations, findings, contentHash };
}

/** Returns the pinned definition that a row holds; null for a row without a pin. */
export function pinOf(row: ToolRow): KeptDefinition | null {
  const { rawName, title, description, inputSchema, primaryArgument, annotations, findings, pinHash, contentHash } = row;
  if (pinHash === null) return null;
  const unavailableReason = row.availability === "unavailable" ? row.availabilityReason : null;
  return {
    rawName,
    title,
    description,
    inputSchema,
    annotations: annotations ?? {},
    hash: pinHash,
    contentHash: contentHash ?? "",
    primaryArgument,
    findings,
    unavailableReason,
  };
}
