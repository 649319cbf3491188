import "server-only";
import { and, desc, eq, or } from "drizzle-orm";
import { instructionsName } from "@/contracts/tools/tool-changes";
import type { ToolFinding } from "@/contracts/tools/tool-findings";
import type { Db } from "@/db/client";
import { type KeptDefinition, type mcpServers, toolChanges } from "@/db/schema";
import { sha256 } from "@/server/platform/crypto";
import { planPin } from "./plan-pin";
import { savePinPlans } from "./save-pin-plans";

type ServerRow = typeof mcpServers.$inferSelect;

/** A server's instructions for models: cleaned, with the findings of the text as it was sent. */
export type ServerInstructions = { text: string; findings: ToolFinding[] };

/** The accepted instructions, and the change that waits or was rejected. */
export type PinnedInstructions = Pick<ServerRow, "instructions" | "instructionsChangeId">;

type Known = PinnedInstructions & Pick<ServerRow, "id" | "workspaceId" | "lastConnectedAt">;

/**
 * Compares a server's instructions with the accepted ones, as a tool's definition with its pin. The first instructions are
 * accepted unless a finding is severe. Other ones, and none at all, become a question in the caller's transaction.
 */
export async function pinInstructions(tx: Db, server: Known, listed: ServerInstructions | null): Promise<PinnedInstructions> {
  const { id: mcpServerId, workspaceId, instructions, instructionsChangeId, lastConnectedAt } = server;
  const definition = definitionOf(listed);
  const { current, rejected } = await loadChanges(tx, server);
  const plan = planPin({
    definition,
    row: undefined,
    // A server that connected before has a pin, also when the accepted text is empty.
    absentPin: lastConnectedAt === null ? null : definitionOf({ text: instructions ?? "", findings: [] }),
    current,
    rejected,
    renamedFrom: null,
    findings: definition.findings,
  });
  const { columns } = plan;
  const isRestored = instructionsChangeId !== null && columns.quarantine === null;
  const known = new Map([[instructionsName, { changeId: instructionsChangeId }]]);
  await savePinPlans(tx, { workspaceId, mcpServerId }, new Map([[instructionsName, { ...plan, isRestored }]]), { known, removed: [] });
  return { instructions: (columns.pinHash !== null && columns.description) || null, instructionsChangeId: columns.changeId };
}

/** Writes instructions as a definition, so that plans, inbox and audit treat a change of them like a tool's. */
function definitionOf(listed: ServerInstructions | null): KeptDefinition {
  const { text, findings } = listed ?? { text: "", findings: [] };
  return {
    rawName: instructionsName,
    title: "Instructions",
    description: text,
    inputSchema: {},
    outputSchema: null,
    annotations: {},
    hash: sha256(text),
    contentHash: "",
    primaryArgument: null,
    findings,
    unavailableReason: null,
  };
}

async function loadChanges(tx: Db, { id, instructionsChangeId }: Known) {
  const isRejected = eq(toolChanges.status, "rejected");
  const rows = await tx
    .select()
    .from(toolChanges)
    .where(
      and(
        eq(toolChanges.mcpServerId, id),
        eq(toolChanges.toolName, instructionsName),
        instructionsChangeId === null ? isRejected : or(isRejected, eq(toolChanges.id, instructionsChangeId)),
      ),
    )
    .orderBy(desc(toolChanges.id));
  const changes = rows.map((row) => ({ id: row.id, kind: row.kind, status: row.status, hash: row.after.hash }));
  const find = (isOne: (change: (typeof changes)[number]) => boolean) => changes.find(isOne) ?? null;
  return { current: find((change) => change.id === instructionsChangeId), rejected: find(({ status }) => status === "rejected") };
}
