import type { JsonObject } from "@/contracts/common";
import type { SubmittedCall } from "@/contracts/turns/turns";
import { isStorable } from "@/server/platform/database/storable";
import { definePromptHint } from "@/server/platform/extension-points/prompt-hints";
import { findInexactNumber, parseExactJson } from "@/server/platform/formats/exact-json";
import { inspectJson, maxArgumentDepth } from "@/server/platform/formats/json-shape";
import { escalatedSentence } from "@/server/policy/own-tools";
import { isForModels } from "./app-meta";
import type { AnyTool } from "./define-tool";
import type { ToolScope } from "./list-conversation-tools";
import { otherDefinitionSentence, quarantineSentence } from "./pins/quarantine";
import type { RegisteredTool } from "./registered-tool";
import { takeBackground } from "./run-in-background";

/** An extension tool was called before it was enabled; `{tool}` becomes its name. */
export const inactiveTool = definePromptHint("inactive_tool");
/** A tool refuses until its documentation was read; `{tool}` becomes its name. */
export const undocumentedTool = definePromptHint("undocumented_tool");

export type PreparedCall =
  | { kind: "ready"; registered: RegisteredTool; tool: AnyTool; arguments: JsonObject; inBackground: boolean }
  /** `name` is canonical for a known tool, else the requested name. */
  | { kind: "failed"; name: string; message: string; isInactive?: true; unfit?: UnfitCall };

/** A call of a known tool whose arguments do not fit the tool's schema. */
export type UnfitCall = { registered: RegisteredTool; tool: AnyTool; arguments: JsonObject; inBackground: boolean };

type LiveTool = (tool: RegisteredTool) => AnyTool | undefined;

/** A submitted call; `carriedBy` names the tool in whose arguments it stood, or whose app made it. */
type GivenCall = Pick<SubmittedCall, "name" | "arguments"> & { carriedBy?: string | null };

/**
 * Resolves a call's tool and parses its arguments. An impossible call becomes an ordinary failed result, with a sentence
 * that tells the model what to send instead.
 */
export function prepareCall(scope: ToolScope, call: GivenCall, liveTool: LiveTool): PreparedCall {
  const registered = findRegistered(scope, call.name.trim());
  if (!registered) {
    return failed(call.name, `Tool not found: ${call.name}. Call only tools from the list that you were given, by their exact names.`);
  }
  const { name } = registered;
  if (!registered.enabled || !registered.sourceEnabled)
    return failed(name, `${name} tool is disabled. Use another tool or go on without it.`);
  if (registered.surface === "escalate" && !scope.agent.isBehindBridge) return failed(name, escalatedSentence(name));
  if (registered.mode === "provider") {
    return failed(
      name,
      `Tool '${name}' is provider-native and must be handled by the LLM provider, not the tool runner. Use it the way your provider documents, or take another tool.`,
    );
  }
  if (registered.quarantine) return failed(name, quarantineSentence(registered));
  if (!scope.effective.has(name)) return failed(name, `Tool '${name}' is not available to this agent.`);
  // A carrier spares the model the step of enabling a tool, and nothing else.
  if (call.carriedBy && !scope.effective.has(call.carriedBy))
    return failed(name, `Tool '${call.carriedBy}' is not available to this agent.`);
  if (!isForModels(registered.meta) && !isOfSameServer(scope, call.carriedBy, registered)) {
    return failed(name, `Only an app of its MCP server "${registered.sourceName}" calls ${name}. Go on without it.`);
  }
  // Before the hint to enable it, because a tool that cannot run cannot be enabled either: the hint would cost a step.
  if (registered.availability === "unavailable" && registered.availabilityReason)
    return failed(name, unavailableSentence(name, registered.availabilityReason));
  if (!call.carriedBy && !isCallable(scope, registered)) {
    const message =
      `Tool '${name}' is an extension tool that is not active yet. ${inactiveTool.text().replaceAll("{tool}", name)}`.trimEnd();
    return { kind: "failed", name, message, isInactive: true };
  }
  // A tool that is shown in full was read already: only a carried call may come from a model that has not seen the schema.
  if (registered.needsInfo && !isCallable(scope, registered) && !scope.documented.has(name)) {
    return failed(name, `${name} was not run. ${undocumentedTool.text().replaceAll("{tool}", name)}`.trimEnd());
  }
  const tool = liveTool(registered);
  if (!tool) {
    const why =
      registered.availabilityReason ??
      (registered.sourceName ? `the MCP server "${registered.sourceName}" is not connected` : "it is not loaded");
    return failed(name, unavailableSentence(name, why));
  }
  if (tool.definition && tool.definition.hash !== registered.pinHash) return failed(name, otherDefinitionSentence(registered));
  const raw = readArguments(call.arguments);
  if (!raw.ok) return failed(name, `The arguments of ${name} ${raw.message}`);
  const { args, inBackground } = registered.backgroundable ? takeBackground(raw.value) : { args: raw.value, inBackground: false };
  const parsed = tool.parse(args, call.name);
  if (parsed.ok) {
    const goesAway = inBackground || (registered.backgroundable && tool.startsInBackground?.(parsed.value) === true);
    return { kind: "ready", registered, tool, arguments: parsed.value, inBackground: goesAway };
  }
  return { ...failed(name, parsed.message), unfit: { registered, tool, arguments: parsed.renamed ?? args, inBackground } };
}

/** Finds the tool of a name, or the one that answers for it, where the agent has that. */
function findRegistered({ catalog, effective }: ToolScope, name: string): RegisteredTool | undefined {
  const found = catalog.find(name);
  if (found) return found;
  const redirect = catalog.redirect(name);
  return redirect && effective.get(redirect.tool);
}

const unavailableSentence = (name: string, why: string) =>
  `${name} cannot be called right now: ${why.replace(/\.$/, "")}. Go on without it, or try again later.`;

/** Returns true when the carrier of a call is a tool of the same MCP server, so that an app of that server made the call. */
function isOfSameServer({ catalog }: ToolScope, carriedBy: string | null | undefined, { sourceRef }: RegisteredTool): boolean {
  return sourceRef !== null && typeof carriedBy === "string" && catalog.find(carriedBy)?.sourceRef === sourceRef;
}

function isCallable(scope: ToolScope, tool: RegisteredTool): boolean {
  return tool.tier === "core" || scope.agent.disclosureMode === "legacy" || scope.activated.has(tool.name);
}

function failed(name: string, message: string): Extract<PreparedCall, { kind: "failed" }> {
  return { kind: "failed", name, message };
}

/** Reads the arguments of a call, an object or its JSON text, as a value that guard, people, tool and record see alike. */
export function readArguments(given: SubmittedCall["arguments"]): { ok: true; value: JsonObject } | { ok: false; message: string } {
  if (typeof given === "string" && given.trim() === "") return { ok: true, value: {} };
  let value: unknown = given;
  try {
    if (typeof given === "string") value = parseExactJson(given);
    // Some models write the object as JSON within a JSON text.
    if (typeof value === "string" && typeof given === "string") value = value.trim() === "" ? {} : parseExactJson(value);
  } catch {
    return {
      ok: false,
      message: "are not valid JSON, perhaps cut off. Re-issue the call with complete, valid JSON; send long content in smaller pieces.",
    };
  }
  value ??= {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { ok: false, message: "must be a JSON object. Re-issue the call with an object that has the parameters as members." };
  }
  // Guard, approvers, tool and record must see the same value. Therefore values that some code drops or cannot walk are refused.
  const { depth, hasPrototypeKey, hasInexactNumber } = inspectJson(value);
  if (depth > maxArgumentDepth)
    return { ok: false, message: `are nested deeper than ${maxArgumentDepth} levels. Re-issue the call with a flatter value.` };
  if (hasPrototypeKey) return { ok: false, message: "hold a member named __proto__. Re-issue the call without it." };
  const inexact = hasInexactNumber ? findInexactNumber(value) : null;
  if (inexact) {
    return {
      ok: false,
      message: `hold a number that cannot be kept exactly: ${inexact.join(".")}. Re-issue the call with a smaller number, or with the digits as text in quotes.`,
    };
  }
  if (!isStorable(value as JsonObject)) {
    return { ok: false, message: "hold a NUL character or half of a surrogate pair. Re-issue the call with plain text." };
  }
  return { ok: true, value: value as JsonObject };
}
