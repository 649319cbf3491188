import type { toolChangeKinds } from "@/contracts/tools/tool-changes";
import type { ToolFinding } from "@/contracts/tools/tool-findings";
import type { KeptDefinition, tools } from "@/db/schema";
import { type DefinitionColumns, readPin, toDefinitionColumns } from "./pin-columns";

type ToolRow = typeof tools.$inferSelect;
type ChangeKind = (typeof toolChangeKinds)[number];

/** A change of the tool that its row knows. */
export type CurrentChange = { id: string; kind: ChangeKind; status: "pending" | "approved" | "rejected"; hash: string };

export type PinFacts = {
  definition: KeptDefinition;
  row: ToolRow | undefined;
  /** Pin of a tool that was away and is listed again. */
  absentPin: KeptDefinition | null;
  /** The change that the row's quarantine is about. */
  current: CurrentChange | null;
  /** The last rejected change of a tool of this name. */
  rejected: CurrentChange | null;
  /** Name of the known tool that a new tool takes over. */
  renamedFrom: string | null;
  /** Findings of the definition among its neighbours. */
  findings: ToolFinding[];
};

type PinColumns = DefinitionColumns & Pick<ToolRow, "pinHash" | "quarantine" | "changeId"> & Partial<Traits>;
type Traits = Pick<ToolRow, "effect" | "concurrencySafe" | "idempotent" | "availability" | "availabilityReason">;
type Ask = { kind: ChangeKind; before: KeptDefinition | null; after: KeptDefinition; renamedFrom: string | null };

/** The plan for a listed tool: its columns, the question to ask about it, and whether a question is withdrawn. */
export type PinPlan = { columns: PinColumns; ask: Ask | null; isRestored: boolean };

/** From this severity on, a new tool is not callable before a person has looked at it. */
const severe: ReadonlySet<ToolFinding["severity"]> = new Set(["high", "critical"]);

/**
 * Compares a listed definition with the tool's pin. Equal: the tool is callable. Different: the row keeps the pinned
 * definition, and the new one becomes a question. Without a pin: pinned at first sight, except for a renamed tool and a
 * definition with severe findings.
 */
export function planPin(facts: PinFacts): PinPlan {
  const { definition, row, absentPin, renamedFrom, current, rejected } = facts;
  const pin = row ? readPin(row) : absentPin;
  if (pin && isPinned(pin, definition)) return accepted({ ...definition, findings: pin.findings }, row?.quarantine != null);
  const after = { ...definition, findings: facts.findings };
  if (pin) return quarantined(facts, { kind: "changed", before: pin, after, renamedFrom: null });
  const isWaiting = row?.quarantine != null;
  const kind = renamedFrom ? "renamed" : facts.findings.some(({ severity }) => severe.has(severity)) ? "flagged" : null;
  if (!isWaiting && !rejected && kind === null) return accepted(after, false);
  return quarantined(facts, { kind: kind ?? current?.kind ?? rejected?.kind ?? "flagged", before: null, after, renamedFrom });
}

/** Compares hashes. A pin from before output schemas were read says nothing about them, so the rest of it decides. */
function isPinned(pin: KeptDefinition, { hash, hashWithoutOutput }: KeptDefinition): boolean {
  return pin.hash === hash || (!pin.isOutputKnown && hashWithoutOutput !== undefined && pin.hash === hashWithoutOutput);
}

function accepted(definition: KeptDefinition, isRestored: boolean): PinPlan {
  const columns = { ...toDefinitionColumns(definition), pinHash: definition.hash, quarantine: null, changeId: null };
  return { columns, ask: null, isRestored };
}

function quarantined({ row, current, rejected }: PinFacts, ask: Ask): PinPlan {
  const { before, after } = ask;
  const known = [current, rejected].find((change) => change?.hash === after.hash && change.status !== "approved") ?? null;
  const columns = {
    ...toDefinitionColumns(before ?? after),
    ...(before ? traitsOf(row, before) : {}),
    pinHash: before?.hash ?? null,
    quarantine: known?.status === "rejected" ? ("rejected" as const) : ("pending" as const),
    // A pending question is rewritten in place, so that a server cannot fill the inbox by changing a tool again and again.
    changeId: known?.id ?? (current?.status === "pending" ? current.id : null),
  };
  return { columns, ask: known ? null : ask, isRestored: false };
}

/** The traits stay those of the pinned definition; without a row the strictest ones. */
function traitsOf(row: ToolRow | undefined, before: KeptDefinition): Traits {
  if (!row) {
    const { unavailableReason: reason } = before;
    const availability = reason ? ("unavailable" as const) : ("available" as const);
    return { effect: "destroy", concurrencySafe: false, idempotent: false, availability, availabilityReason: reason };
  }
  const { effect, concurrencySafe, idempotent, availability, availabilityReason } = row;
  return { effect, concurrencySafe, idempotent, availability, availabilityReason };
}
