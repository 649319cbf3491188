import "server-only";
import { severities } from "@/contracts/decisions/decision";
import { instructionsName, type ToolChange, type ToolDefinition } from "@/contracts/tools/tool-changes";
import type { ToolEffect } from "@/contracts/tools/tools";
import type { KeptDefinition, toolChanges } from "@/db/schema";
import { differingParts } from "./differing-parts";
import { hintEffect } from "./hint-effect";

export type ChangeRow = typeof toolChanges.$inferSelect & {
  alias: string;
  trustHints: boolean;
  /** The change that the tool's quarantine is about now; null without a quarantine or without the tool. */
  currentId: string | null;
};

const strengths: Record<ToolEffect, number> = { read: 0, write: 1, destroy: 2 };

/** Converts a change of a tool to its public form; no other code does. */
export function presentChange(row: ChangeRow): ToolChange {
  const { before, after, alias, trustHints } = row;
  const effect = {
    before: before && hintEffect(before.annotations, trustHints),
    after: hintEffect(after.annotations, trustHints),
  };
  return {
    id: row.id,
    server: { id: row.mcpServerId, alias },
    tool: row.toolName,
    kind: row.kind,
    status: row.status,
    isCurrent: row.currentId === row.id,
    before: before && presentDefinition(before, alias),
    after: presentDefinition(after, alias),
    parts: row.toolName === instructionsName ? ["description"] : differingParts(before, after),
    effect,
    renamedFrom: row.renamedFrom,
    findings: after.findings,
    risk: riskOf(after, effect),
    seenAt: row.seenAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decidedBy: row.decidedBy,
    comment: row.comment,
  };
}

function presentDefinition(definition: KeptDefinition, alias: string): ToolDefinition {
  const { rawName, title, description, inputSchema, outputSchema, annotations, hash } = definition;
  const prefix = `[MCP server: ${alias}] `;
  const own = description.startsWith(prefix) ? description.slice(prefix.length) : description;
  return { rawName, title, description: own, inputSchema, outputSchema: outputSchema ?? null, annotations, hash };
}

/** The worst finding counts; without one a definition that claims to do less than its pin is the most suspicious. */
function riskOf({ findings }: KeptDefinition, { before, after }: { before: ToolEffect | null; after: ToolEffect }): ToolChange["risk"] {
  const claimsLess = before !== null && strengths[after] < strengths[before];
  const found = new Set<string>([...findings.map(({ severity }) => severity), claimsLess ? "high" : "medium"]);
  return severities.find((severity) => found.has(severity)) ?? "medium";
}
