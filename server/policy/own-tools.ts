import type { JsonObject } from "@/contracts/common";
import type { ProgramPlace } from "@/contracts/tools/shell";
import type { Db } from "@/db/client";
import type { GuardContext, GuardedTool } from "@/server/guard/call/guard-request";
import type { DeclaredEffect } from "@/server/guard/effects/declare-effects";
import type { BridgeState } from "@/server/guard/surface/classify-surface";
import { processWide } from "@/server/platform/process-wide";

type Effects = (args: JsonObject) => readonly DeclaredEffect[];

/** Finds where the programs of a call run; null when the call's own effects decide. */
export type FindProgramPlace = (args: JsonObject, conversationId: string) => Promise<ProgramPlace | null>;

/** The builtin tool's access to the delegate that carries out tools on the escalate surface. */
export type EscalationBridge = {
  isConnected: (tx: Pick<Db, "select">, workspaceId: string) => Promise<boolean>;
  /** Finds the agent of the workspace that carries the tasks out; null when none of its agents does. */
  agentBehind?: (tx: Pick<Db, "select">, workspaceId: string) => Promise<string | null>;
  /** The sentence for people and models that explains why the bridge is not connected. */
  notConnected: string;
};

/** Loads the effects that the tools of a source declare, by tool name. */
type SourceEffects = (workspaceId: string) => Promise<ReadonlyMap<string, Effects>>;

type OwnTool = { name: string; effects?: Effects; programPlace?: FindProgramPlace; bridge?: EscalationBridge };
type Known = {
  effects: Map<string, Effects>;
  places: Map<string, FindProgramPlace>;
  bridge: { name: string; bridge: EscalationBridge } | null;
};

const registry = () => processWide<Known>("policy.ownTools", () => ({ effects: new Map(), places: new Map(), bridge: null }));

/**
 * Registers the effects, the places of programs and the escalation bridge of builtin tools, because policy may not import the tools' code.
 * @throws Error when two tools offer a bridge
 */
export function provideOwnTools(tools: readonly OwnTool[]): void {
  for (const { name, effects, programPlace, bridge } of tools) {
    if (effects) registry().effects.set(name, effects);
    if (programPlace) registry().places.set(name, programPlace);
    if (!bridge) continue;
    const other = registry().bridge;
    if (other && other.name !== name) throw new Error(`${other.name} and ${name} both carry out tools on the escalate surface`);
    registry().bridge = { name, bridge };
  }
}

/** Returns the effects that a builtin tool declares; undefined for a tool that declares none. */
export function toolEffects(name: string): Effects | undefined {
  return registry().effects.get(name);
}

/** Returns the part of a call's context that says where its programs run, for tools that settle it before the call. */
export async function programPlaceContext(
  { name, source }: Pick<GuardedTool, "name" | "source">,
  args: JsonObject,
  conversationId: string,
): Promise<Pick<GuardContext, "place">> {
  const place = source === "builtin" ? await registry().places.get(name)?.(args, conversationId) : null;
  return place ? { place } : {};
}

const sources = () => processWide("policy.sourceEffects", () => new Map<string, SourceEffects>());

/** Registers the effects of a family's tools that are rows, because policy may not import the tools' code. */
export function provideSourceEffects(family: string, load: SourceEffects): void {
  sources().set(family, load);
}

/** Loads the effects that tools of all sources but builtin and MCP declare, by tool name. */
export async function loadSourceEffects(workspaceId: string): Promise<ReadonlyMap<string, Effects>> {
  const loaded = await Promise.all([...sources().values()].map((load) => load(workspaceId)));
  return new Map(loaded.flatMap((effects) => [...effects]));
}

/** Returns the escalation bridge and whether it is connected in a workspace; null when no tool offers a bridge. */
export async function bridgeStateOf(tx: Pick<Db, "select">, workspaceId: string): Promise<(BridgeState & { notConnected: string }) | null> {
  const found = registry().bridge;
  if (!found) return null;
  const isConnected = await found.bridge.isConnected(tx, workspaceId);
  return { name: found.name, isConnected, notConnected: found.bridge.notConnected };
}

/** Returns the id of the agent that stands behind the escalation bridge; null when no agent does. */
export async function agentBehindBridge(tx: Pick<Db, "select">, workspaceId: string): Promise<string | null> {
  return (await registry().bridge?.bridge.agentBehind?.(tx, workspaceId)) ?? null;
}

/** Returns the sentence that refuses a direct call of an escalate tool and names the alternative. */
export function escalatedSentence(name: string): string {
  const bridge = registry().bridge;
  const instead = bridge ? `use ${bridge.name} with a clear description of the task` : "ask an admin to put it on the natural surface";
  return `"${name}" moves funds or needs a signature and cannot be called directly; ${instead}.`;
}
