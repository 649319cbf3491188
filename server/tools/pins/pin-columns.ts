import type { JsonObject } from "@/contracts/common";
import type { KeptDefinition, tools } from "@/db/schema";
import { canonicalJson, sha256 } from "@/server/platform/crypto";

type ToolRow = typeof tools.$inferSelect;

/** The columns of a tool that its definition decides. */
export type DefinitionColumns = Pick<
  ToolRow,
  | "rawName"
  | "title"
  | "description"
  | "inputSchema"
  | "schemaDialect"
  | "schemaHash"
  | "outputSchema"
  | "primaryArgument"
  | "annotations"
  | "findings"
  | "contentHash"
>;

/** An empty object is stored for a tool without an output schema, because an absent one was never read. */
function storedOutput({ outputSchema, isOutputKnown }: KeptDefinition): JsonObject | null {
  return isOutputKnown === false ? null : (outputSchema ?? {});
}

/** Converts a definition to the columns of its tool. */
export function toDefinitionColumns(definition: KeptDefinition): DefinitionColumns {
  const { rawName, title, description, inputSchema, schemaDialect, primaryArgument, annotations, findings, contentHash } = definition;
  const schemaHash = sha256(canonicalJson(inputSchema));
  const schemas = { inputSchema, schemaDialect: schemaDialect ?? null, schemaHash, outputSchema: storedOutput(definition) };
  return { rawName, title, description, ...schemas, primaryArgument, annotations, findings, contentHash };
}

/** Returns the output schema of a tool's row; null for a tool without one. */
export function declaredOutput({ outputSchema }: Pick<ToolRow, "outputSchema">): JsonObject | null {
  return outputSchema === null || Object.keys(outputSchema).length === 0 ? null : outputSchema;
}

/** Returns the pinned definition that a row holds; null for a row without a pin. */
export function readPin(row: ToolRow): KeptDefinition | null {
  const { rawName, title, description, inputSchema, schemaDialect, primaryArgument, annotations, findings, pinHash, contentHash } = row;
  if (pinHash === null) return null;
  const unavailableReason = row.availability === "unavailable" ? row.availabilityReason : null;
  return {
    rawName,
    title,
    description,
    inputSchema,
    schemaDialect,
    outputSchema: declaredOutput(row),
    isOutputKnown: row.outputSchema !== null,
    annotations: annotations ?? {},
    hash: pinHash,
    contentHash: contentHash ?? "",
    primaryArgument,
    findings,
    unavailableReason,
  };
}
