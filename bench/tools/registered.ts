import type { JsonObject } from "../../contracts/common";
import type { ToolScope } from "../../server/tools/list-conversation-tools";
import type { RegisteredTool } from "../../server/tools/registered-tool";
import { nameIndex } from "../../server/tools/resolve-name";

export type Given = { name: string; description: string; source: string; inputSchema: JsonObject };

/** Makes a tool as the catalog has it, of an MCP server whose alias is `source`; without a source, a builtin tool. */
export function registered({ name, description, source, inputSchema }: Given): RegisteredTool {
  const isMcp = source !== "";
  const now = new Date(0);
  return {
    id: `${source}/${name}`,
    workspaceId: "bench",
    name: isMcp ? `${source}__${name}` : name,
    title: name,
    description,
    source: isMcp ? "mcp" : "builtin",
    mcpServerId: isMcp ? source : null,
    rawName: name,
    family: source || "bench",
    effect: "read",
    mode: "direct",
    concurrencySafe: true,
    idempotent: true,
    backgroundable: false,
    dangerous: false,
    needs: [],
    aliases: [],
    primaryArgument: null,
    inputSchema,
    schemaDialect: null,
    schemaHash: "",
    outputSchema: null,
    pinHash: null,
    contentHash: null,
    annotations: null,
    meta: null,
    findings: [],
    quarantine: null,
    changeId: null,
    defaultTier: "extension",
    defaultTimeoutMs: 30_000,
    availability: "available",
    availabilityReason: null,
    enabled: true,
    disclosureTier: null,
    timeoutMs: null,
    resultLimit: null,
    descriptionOverride: null,
    effectOverride: null,
    returnDirect: false,
    surfaceOverride: null,
    requiredTrust: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
    sourceRef: isMcp ? source : null,
    sourceName: isMcp ? source : null,
    sourceInstructions: null,
    isWithheld: false,
    sourceEnabled: true,
    surface: "natural",
    surfaceReason: "",
    sensitiveVerb: null,
    isDenied: false,
    tier: "extension",
    tierLockedReason: null,
    shownDescription: description,
    shownInputSchema: inputSchema,
    effectiveTimeoutMs: 30_000,
    effectiveResultLimit: null,
    alwaysOn: false,
    hiddenUntilActive: false,
    readsArtifacts: false,
    isBridge: false,
  };
}

/** Makes the scope of an agent that has all these tools. */
export function scopeOf(tools: readonly RegisteredTool[]): ToolScope {
  const effective = new Map(tools.map((tool) => [tool.name, tool]));
  const agent = {
    id: "bench",
    workspaceId: "bench",
    name: "bench",
    description: "",
    isDefault: true,
    disclosureMode: "progressive" as const,
    sharedFolder: null,
    allowedEffects: null,
    toolsDisabled: false,
    skillsDisabled: false,
    privileged: false,
    instructions: "",
    models: [],
    modelSettings: null,
    runLimits: null,
    mayBeAsked: false,
    offeredAsTool: false,
    delegates: null,
    version: 1,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    ticked: new Set<string>(),
    joined: new Set<string>(),
    isBehindBridge: false,
    effective,
    internal: [],
    artifactReader: null,
    demoted: new Set<string>(),
    coreTokens: 0,
  };
  const catalog = { tools, find: nameIndex(tools), redirect: () => undefined, agents: new Map([[agent.id, agent]]) };
  return { catalog, agent, effective, activated: new Set(), documented: new Set(), demoted: new Set() };
}
