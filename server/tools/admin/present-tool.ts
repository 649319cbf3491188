import "server-only";
import type { Tool } from "@/contracts/tools/tools";
import { appUriOf } from "../app-meta";
import { countToolTokens } from "../disclosure/present-listing";
import type { RegisteredTool } from "../registered-tool";

/** Converts a tool to its public form; no other code does. */
export function presentTool(tool: RegisteredTool): Tool {
  const appUri = appUriOf(tool.meta);
  return {
    id: tool.id,
    name: tool.name,
    title: tool.title,
    description: tool.shownDescription,
    source: tool.source,
    sourceRef: tool.sourceRef,
    sourceName: tool.sourceName,
    family: tool.family,
    effect: tool.effect,
    surface: tool.surface,
    surfaceReason: tool.surfaceReason,
    mode: tool.mode,
    concurrencySafe: tool.concurrencySafe,
    idempotent: tool.idempotent,
    backgroundable: tool.backgroundable,
    returnDirect: tool.returnDirect,
    dangerous: tool.dangerous,
    requiredTrust: tool.requiredTrust,
    enabled: tool.enabled,
    tier: tool.tier,
    tierLocked: tool.tierLockedReason !== null,
    tierLockedReason: tool.tierLockedReason,
    needs: tool.needs,
    aliases: tool.aliases,
    primaryArgument: tool.primaryArgument,
    inputSchema: tool.inputSchema,
    schemaHash: tool.schemaHash,
    timeoutMs: tool.effectiveTimeoutMs,
    resultLimit: tool.effectiveResultLimit,
    overrides: {
      timeoutMs: tool.timeoutMs,
      resultLimit: tool.resultLimit,
      description: tool.descriptionOverride,
      effect: tool.effectOverride,
      surface: tool.surfaceOverride,
    },
    quarantine: tool.quarantine,
    findings: tool.findings,
    availability: tool.sourceEnabled
      ? { status: tool.availability, reason: tool.availabilityReason }
      : { status: "unavailable", reason: `The MCP server "${tool.sourceName}" is switched off.` },
    ...(appUri === null ? {} : { appUri }),
    // A hidden tool costs nothing until the conversation needs it.
    tokens: tool.hiddenUntilActive ? { core: 0, extension: 0 } : countToolTokens(tool),
    version: tool.version,
    updatedAt: tool.updatedAt.toISOString(),
  };
}
