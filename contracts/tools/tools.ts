import { z } from "zod";
import { Id, JsonObject, listOf, pageQuery, queryFlag, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { toolSources } from "../generated";
import { orList } from "../lib/or-list";
import { resultChars } from "./result-settings";
import { ToolFinding } from "./tool-findings";
import { trustClasses } from "./trust";

/** Where tools come from: each contract declares the sources of its noun. */
export { toolSources };
export const toolTiers = ["core", "extension"] as const;
export const toolSurfaces = ["natural", "escalate"] as const;
export const toolEffects = ["read", "write", "destroy"] as const;
export const toolModes = ["direct", "background", "stateful", "provider"] as const;
export const availabilityStatuses = ["available", "unavailable", "stale"] as const;

export const ToolTier = z.enum(toolTiers, { error: "tier must be 'core' or 'extension'" });
/** The problem code of a wrong tier, for endpoints whose body has one. */
export const tierCodes = { tier: "invalid_tier" } as const;
export type ToolTier = z.infer<typeof ToolTier>;
export type ToolMode = (typeof toolModes)[number];
export type ToolEffect = (typeof toolEffects)[number];
export type ToolSource = (typeof toolSources)[number];
/** Returns the source as the directory and the audit name it: `builtin`, or `mcp:<alias>`. */
export function sourceLabel({ source, sourceName }: { source: ToolSource; sourceName: string | null }): string {
  return sourceName ? `${source}:${sourceName}` : source;
}

/** The tool's name as the model sees it; the key of a tool everywhere. */
export const ToolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "a tool's name has 1 to 64 letters, digits, _ or -");

export const Tool = z
  .object({
    id: Id,
    name: ToolName,
    title: z.string(),
    description: z.string(),
    source: z.enum(toolSources),
    sourceRef: z.string().nullable().describe("For an MCP tool the id of its server; `sourceName` is its alias."),
    sourceName: z.string().nullable(),
    family: z.string(),
    effect: z.enum(toolEffects),
    surface: z.enum(toolSurfaces).describe("`escalate`: models do not see it, and reach it through the delegate only."),
    surfaceReason: z.string().describe("Why it has this surface."),
    mode: z.enum(toolModes),
    concurrencySafe: z.boolean(),
    idempotent: z.boolean().describe("Running it twice does no more than running it once: recovery may start it again."),
    backgroundable: z.boolean().describe("May run as a background job: it takes the argument `runInBackground`."),
    returnDirect: z.boolean().describe("Its result goes to the user as it is; the model reads a placeholder."),
    dangerous: z.boolean(),
    requiredTrust: z.enum(trustClasses).nullable().describe("Only callers of this trust class or a higher one; `null`: everybody."),
    enabled: z.boolean(),
    tier: z.enum(toolTiers),
    tierLocked: z.boolean(),
    tierLockedReason: z.string().nullable(),
    needs: z.array(z.string()),
    aliases: z.array(z.string()),
    primaryArgument: z.string().nullable(),
    inputSchema: JsonObject,
    schemaHash: z.string(),
    timeoutMs: z.number().int(),
    resultLimit: z
      .number()
      .int()
      .nullable()
      .describe("Characters of a result that the model reads; `null`: the tool pages by itself, and nothing is cut."),
    overrides: z
      .object({
        timeoutMs: z.number().int().nullable(),
        resultLimit: z.number().int().nullable(),
        description: z.string().nullable(),
        effect: z.enum(toolEffects).nullable(),
        surface: z.enum(toolSurfaces).nullable(),
      })
      .describe("What an admin put in place of the tool's own values; `null`: nothing."),
    quarantine: z
      .enum(["pending", "rejected"])
      .nullable()
      .describe("Its MCP server lists another definition than the accepted one, so that the tool is off: undecided, or rejected."),
    findings: z.array(ToolFinding).describe("Signs of poisoning in its definition."),
    availability: z.object({ status: z.enum(availabilityStatuses), reason: z.string().nullable() }),
    appUri: z
      .string()
      .optional()
      .describe("Address of its user interface (MCP Apps), which the console shows with a result; absent for a tool without one."),
    tokens: z
      .object({ core: z.number().int(), extension: z.number().int() })
      .describe("Tokens (o200k) that the tool costs in each tier on every model step."),
    version: z.number().int(),
    updatedAt: Timestamp,
  })
  .meta({ id: "Tool" });
export type Tool = z.infer<typeof Tool>;

export const ToolPatch = z
  .strictObject({
    enabled: z.boolean().optional(),
    timeoutMs: z
      .number()
      .int()
      .min(100)
      .max(300_000)
      .nullable()
      .optional()
      .describe("Milliseconds; `null` returns to the tool's own default."),
    resultLimit: z
      .number()
      .int()
      .min(resultChars.min)
      .max(resultChars.max)
      .nullable()
      .optional()
      .describe("Characters of a result that the model reads; `null` returns to the limit of the workspace."),
    description: z
      .string()
      .trim()
      .min(1)
      .max(4_000)
      .nullable()
      .optional()
      .describe("Replaces the description that the model reads; `null` returns to the tool's own."),
    effect: z
      .enum(toolEffects)
      .nullable()
      .optional()
      .describe("The worst that a call can do, in place of the source's word; `null` returns to the source's."),
    returnDirect: z.boolean().optional(),
    requiredTrust: z.enum(trustClasses).nullable().optional().describe("`null`: everybody who may call tools."),
    surface: z
      .enum(toolSurfaces)
      .nullable()
      .optional()
      .describe("Whether models may call it themselves; `null` returns to what its name and its source say."),
  })
  .meta({ examples: [{ enabled: true, timeoutMs: 60000 }] });
export type ToolPatch = z.infer<typeof ToolPatch>;

export const ToolFilter = z.object({
  query: z.string().max(200).optional(),
  source: z.enum(toolSources).optional(),
  tier: z.enum(toolTiers).optional(),
  enabled: queryFlag.optional(),
  family: z.string().max(100).optional(),
});
export type ToolFilter = z.infer<typeof ToolFilter>;

/** One change for many tools at once. */
export const ToolsChange = z
  .strictObject({
    tools: z.array(z.string().min(1).max(64)).min(1).max(5_000).describe("Ids or function names."),
    enabled: z.boolean().optional(),
    tier: ToolTier.optional(),
  })
  .refine(({ enabled, tier }) => (enabled === undefined) !== (tier === undefined), "send either enabled or tier")
  .meta({ examples: [{ tools: ["url_fetch", "search_files"], tier: "extension" }] });
export type ToolsChange = z.infer<typeof ToolsChange>;

export const ToolsChanged = z
  .object({
    changed: z.array(ToolName).describe("Tools that have the wanted value now and had another one before."),
    refused: z.array(z.object({ tool: z.string(), code: z.string(), reason: z.string() })),
  })
  .meta({ id: "ToolsChanged" });
export type ToolsChanged = z.infer<typeof ToolsChanged>;

export const ToolUsage = z
  .object({
    days: z.number().int().describe("Length of the period, which ends now."),
    calls: z.number().int(),
    failures: z.number().int().describe("Calls that failed, timed out or were interrupted."),
    refusals: z.number().int().describe("Calls that the guard or a person refused, and approvals that expired."),
    pending: z.number().int().describe("Calls that wait for an approval now; they are no part of `calls` before they end."),
    lastUsedAt: Timestamp.nullable(),
  })
  .meta({ id: "ToolUsage" });
export type ToolUsage = z.infer<typeof ToolUsage>;

/** The form of a tool at one model provider. */
export const ToolFormatReport = z
  .object({
    format: z.string().describe("`openai`, `openai-responses`, `anthropic` or `gemini`."),
    leftOut: z.string().nullable().describe("Why listings for this provider leave the tool out; `null`: they have it."),
    changes: z.array(z.string()).describe("What is changed in the tool's schema and description for this provider."),
  })
  .meta({ id: "ToolFormatReport" });
export type ToolFormatReport = z.infer<typeof ToolFormatReport>;

const params = z.object({ id: z.string().min(1).max(64) });

export const toolEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/tools",
    summary: "Tools of the workspace: builtin by name, then MCP by name",
    permission: "tools:read",
    query: ToolFilter.extend({ ...pageQuery, limit: pageQuery.limit.default(200) }),
    response: listOf(Tool),
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/tools/{id}",
    summary: "One tool, by id or function name",
    permission: "tools:read",
    params,
    response: Tool,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/v1/tools/{id}",
    summary: "Enable, disable, or override a tool's timeout, result limit, description or effect",
    headers: ["If-Match"],
    permission: "tools:write",
    params,
    body: ToolPatch,
    response: Tool,
  }),
  patch: endpoint({
    method: "PATCH",
    path: "/api/v1/tools/{id}",
    summary: "The same as PUT: members that are not sent stay",
    headers: ["If-Match"],
    permission: "tools:write",
    params,
    body: ToolPatch,
    response: Tool,
  }),
  setTier: endpoint({
    method: "PUT",
    path: "/api/v1/tools/{id}/disclosure-tier",
    summary: "Move a tool between Core and Extension",
    headers: ["If-Match"],
    permission: "tools:write",
    params,
    body: z.strictObject({ tier: ToolTier }).meta({ examples: [{ tier: "extension" }] }),
    memberCodes: tierCodes,
    response: Tool,
  }),
  usage: endpoint({
    method: "GET",
    path: "/api/v1/tools/{id}/usage",
    summary: "How often a tool was called in the last 30 days",
    permission: "tools:read",
    params,
    response: ToolUsage,
  }),
  formats: endpoint({
    method: "GET",
    path: "/api/v1/tools/{id}/formats",
    summary: "What each model provider makes of a tool: changes of its schema, or why it is left out",
    permission: "tools:read",
    params,
    response: z.object({ items: z.array(ToolFormatReport) }),
  }),
  change: endpoint({
    method: "POST",
    path: "/api/v1/tools/changes",
    summary: "Enable, disable or re-tier many tools; one that is refused does not stop the others",
    permission: "tools:write",
    body: ToolsChange,
    memberCodes: tierCodes,
    response: ToolsChanged,
  }),
};

export const toolContract = defineContract({
  reference: { name: "Tools", description: "What agents may call, and what each tool shows to the model." },
  glossary: {
    activation: "An extension tool that `enable_tool` made callable in one conversation.",
    availability: "Whether a tool can run now: `available`, `unavailable` or `stale`.",
    carrier: "A tool whose call holds the call of another tool, such as `tool_call`; that call is submitted in its place.",
    demotion: "The move of the least used Core or activated tools to the directory when full schemas exceed their budget.",
    directory: "The compressed list of extension tools that the model reads: one line per tool, or per source when they are many.",
    disclosure: "The choice of tools that a model sees in full, in the directory or not at all.",
    effect: "The strongest thing that a tool can do: `read`, `write` or `destroy`.",
    guidance: "A sentence of a listing's hints about a tool that the listing shows in full.",
    mode: "The way in which a tool runs: `direct`, `background`, `stateful` or `provider`.",
    shape: "A coarse description of a call that groups similar approvals.",
    source: `The origin of a tool: ${orList(toolSources)}.`,
    step: "One yield of a stateful tool: a line of progress, a question or a gate.",
    tier: "`core` tools are advertised with their full schema; `extension` tools have one line in the directory.",
    tool: "A function that an agent can call through Handrail.",
  },
  endpoints: toolEndpoints,
  toolSources: ["builtin", "provider", "acp", "channel", "skill"],
  permissions: { "tools:read": "See tools, MCP servers and agents", "tools:write": "Switch tools and move them between the tiers" },
  roles: { approver: ["tools:read"], viewer: ["tools:read"] },
  implies: { "tools:write": ["tools:read"] },
  audit: {
    "tool.updated": "Tool updated",
    "tool.tier_changed": "Tool tier changed",
    "tool.activated": "Tool enabled in a conversation",
  },
  navigation: { label: "Tools", path: "/tools", icon: "IconTool", key: "t", group: "agents", after: "/agents" },
});
