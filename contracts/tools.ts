import { z } from "zod";
import { Id, JsonObject, listOf, pageQuery, queryFlag, Timestamp } from "./common";
import { endpoint } from "./endpoint";
import { trustClasses } from "./trust";

export const toolSources = ["builtin", "mcp", "acp", "channel", "skill", "http", "provider"] as const;
export const toolTiers = ["core", "extension"] as const;
export const toolSurfaces = ["natural", "escalate"] as const;
export const toolEffects = ["read", "write", "destroy"] as const;
export const toolModes = ["direct", "background", "stateful", "provider"] as const;
export const capabilityNames = ["files", "shell", "http", "disclosure", "jobs", "delegate"] as const;
export const availabilityStatuses = ["available", "unavailable", "stale"] as const;

export const ToolTier = z.enum(toolTiers, { error: "tier must be 'core' or 'extension'" });
export type ToolTier = z.infer<typeof ToolTier>;
export type ToolMode = (typeof toolModes)[number];
export type ToolEffect = (typeof toolEffects)[number];
export type ToolSource = (typeof toolSources)[number];
export type CapabilityName = (typeof capabilityNames)[number];

/** The name that the model sees; the key of a tool everywhere. */
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
    surface: z.enum(toolSurfaces).describe("`escalate`: models do not see it, and reach it through core_execute only."),
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
    overrides: z
      .object({ timeoutMs: z.number().int().nullable(), description: z.string().nullable(), surface: z.enum(toolSurfaces).nullable() })
      .describe("What an admin put in place of the tool's own values; `null`: nothing."),
    availability: z.object({ status: z.enum(availabilityStatuses), reason: z.string().nullable() }),
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
    description: z
      .string()
      .trim()
      .min(1)
      .max(4_000)
      .nullable()
      .optional()
      .describe("Replaces the description that the model reads; `null` returns to the tool's own."),
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
    summary: "Enable, disable, or override a tool's timeout or description",
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
    response: Tool,
  }),
};
