import "server-only";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { valueAt } from "@/contracts/lib/json-pointer";
import type { CallMachine, ToolPath } from "@/contracts/tools/machine";
import { type DeclaredEffect, deletes, lists, reads, writes } from "@/server/guard/effects/declare-effects";
import { unknownPiece } from "@/server/guard/script/words";
import { sha256 } from "@/server/platform/crypto";
import type { Catalog } from "@/server/tools/catalog";
import type { AnyTool } from "@/server/tools/define-tool";
import { type PreparedCall, readArguments } from "@/server/tools/prepare-call";
import type { RegisteredTool } from "@/server/tools/registered-tool";
import type { CallRow } from "../read/present-turn";

/**
 * Prepares a call that a client runs. The client's tool is judged as the tool of the workspace with the same name, so that
 * rules hold for both; a tool that only the client has is judged by what is known of it. Nothing here can run the call.
 */
export function prepareClientCall(catalog: Catalog, machine: CallMachine, { workspaceId, name, ...row }: CallRow): PreparedCall {
  const read = readArguments(row.rawArguments ?? row.arguments);
  if (!read.ok) return { kind: "failed", name, message: `The arguments of ${name} ${read.message}` };
  const found = catalog.find(name);
  // Where the arguments of the client's tool are known, a tool of ours with the same name may have others.
  const isOurs = found?.name === name && machine.tool === undefined;
  const registered = isOurs ? asRunByClient(found) : foreignTool(workspaceId, name, machine.tool);
  const { primaryArgument } = registered;
  if (registered.source === "builtin" && primaryArgument !== null && typeof read.value[primaryArgument] !== "string") {
    return { kind: "failed", name, message: `The arguments of ${name} need the text "${primaryArgument}", by which the call is judged.` };
  }
  return { kind: "ready", registered, tool: clientTool(registered), arguments: read.value, inBackground: false };
}

/** The client's tool is there whatever an admin set for ours, and it starts at once. */
function asRunByClient(tool: RegisteredTool): RegisteredTool {
  const known = ofClient.get(tool);
  if (known) return known;
  const made: RegisteredTool = { ...tool, mode: "direct", returnDirect: false, backgroundable: false };
  ofClient.set(tool, made);
  return made;
}

/** Registered tools as clients have them. Kept, because the guard finds its detectors once for each object. */
const ofClient = new WeakMap<RegisteredTool, RegisteredTool>();

const declare = {
  read: reads,
  list: lists,
  write: writes,
  delete: deletes,
  not_known: (argument) => writes(argument, unknownPiece),
  search: (argument, path) => reads(argument, path, { recursive: true }),
} satisfies Record<Exclude<ToolPath["kind"], "pattern">, (argument: string, path: string) => DeclaredEffect>;

/** A tool that only the client has. Without facts about it, it may do anything. */
function foreignTool(workspaceId: string, name: string, { effect, paths }: NonNullable<CallMachine["tool"]> = {}): RegisteredTool {
  const inputSchema = { type: "object" };
  const known = effect ?? (paths ? effectOfPaths(paths) : "destroy");
  const now = new Date(0);
  return {
    ...{ id: workspaceId, workspaceId, name, title: name, description: "", source: "client", mcpServerId: null, rawName: name },
    ...{ family: "client", effect: known, mode: "direct", concurrencySafe: false, idempotent: false, backgroundable: false },
    ...{ dangerous: false, needs: [], aliases: [], primaryArgument: null, inputSchema, schemaDialect: null },
    ...{ schemaHash: sha256(name), outputSchema: null, defaultTier: "core", defaultTimeoutMs: 0, availability: "available" },
    ...{ availabilityReason: null, pinHash: null, contentHash: null, annotations: null, meta: null, findings: [] },
    ...{ quarantine: null, changeId: null },
    ...{ enabled: true, disclosureTier: null, timeoutMs: null, resultLimit: null, descriptionOverride: null, effectOverride: null },
    ...{ returnDirect: false, surfaceOverride: null, requiredTrust: null, version: 1, createdAt: now, updatedAt: now },
    ...{ sourceRef: null, sourceName: null, sourceInstructions: null, sourceEnabled: true, surface: "natural", surfaceReason: "" },
    ...{ sensitiveVerb: null, isDenied: false, tier: "core", tierLockedReason: null, shownDescription: "", shownInputSchema: inputSchema },
    ...{ effectiveTimeoutMs: 0, effectiveResultLimit: null, alwaysOn: false, hiddenUntilActive: false, readsArtifacts: false },
    ...{ isWithheld: false, isBridge: false },
    ...(paths ? { effects: (args: JsonObject) => paths.flatMap((path) => effectAt(args, path)) } : {}),
  } satisfies RegisteredTool;
}

function effectOfPaths(paths: readonly ToolPath[]): RegisteredTool["effect"] {
  const kinds = new Set(paths.map(({ kind }) => kind));
  return kinds.has("delete") ? "destroy" : kinds.has("write") || kinds.has("not_known") ? "write" : "read";
}

function effectAt(args: JsonObject, { argument, kind, base }: ToolPath): DeclaredEffect[] {
  const value = valueAt(args, argument);
  if (Array.isArray(value)) return value.flatMap((_path, at) => effectAt(args, { argument: `${argument}/${at}`, kind, base }));
  if (typeof value !== "string") return [];
  if (kind !== "pattern") return [declare[kind](argument, value)];
  const folder = base === undefined ? undefined : valueAt(args, base);
  const left = leftByGlob(value, typeof folder === "string" ? folder : ".");
  return left === null ? [] : [declare.search(argument, left)];
}

const goesUp = /(?:^|[/\\{(,|])\.\.(?:$|[/\\}),|])/;
const isFree = /^[/~\\]/;
/** An alternative of a pattern that starts at the root or the home. */
const hasFreeAlternative = /[{(,|][/~\\]/;

/** Returns the path at which a pattern leaves the folder that it starts in; null for a pattern that stays below the folder. */
function leftByGlob(glob: string, folder: string): string | null {
  if (glob.startsWith("!")) return null;
  // Alternatives and escaped characters may lead anywhere.
  if (/[{(\\]/.test(glob) && (goesUp.test(glob) || hasFreeAlternative.test(glob))) return "/";
  if (isFree.test(glob)) return glob;
  return goesUp.test(glob) ? `${folder}/${glob}` : null;
}

/** The runnable form that the pipeline asks for. Running it is a mistake of ours. */
function clientTool(registered: RegisteredTool): AnyTool {
  const { name, title, shownDescription, source, sourceRef, rawName, family, defaultTier, effect, needs, primaryArgument } = registered;
  return {
    ...{ name, title, description: shownDescription, source, sourceRef, rawName, family, defaultTier, effect, needs, primaryArgument },
    ...{ aliases: [], concurrencySafe: false, idempotent: false, backgroundable: false, dangerous: false, alwaysOn: false },
    ...{ neverSpilled: false, mode: "direct", timeoutMs: 0, inputSchema: { type: "object" } },
    parse: (args) => (isJsonObject(args) ? { ok: true, value: args } : { ok: false, message: "must be an object" }),
    run: () => {
      throw new Error(`${name} is run by a client and never by Handrail`);
    },
  };
}
