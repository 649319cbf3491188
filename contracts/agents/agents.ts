import { z } from "zod";
import { ActorRef, Empty, Id, Json, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { AgentRunLimits, ModelSettings, RunModel } from "../runs/runs";
import { toolEffects } from "../tools/tools";

export const disclosureModes = ["progressive", "legacy", "none"] as const;

export const Agent = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    isDefault: z.boolean(),
    disclosureMode: z.enum(disclosureModes).describe("`legacy` advertises every tool in full; `none`: the agent has no tools at all."),
    sharedFolder: z
      .string()
      .nullable()
      .describe("Folder under the workspace root that the agent's conversations share; `null`: each has its own."),
    allowedEffects: z.array(z.enum(toolEffects)).nullable().describe("Effects that its calls may have; `null`: all."),
    toolsDisabled: z.boolean().describe("It has builtin tools only: none of MCP servers, HTTP tools, agents and skill scripts."),
    skillsDisabled: z.boolean().describe("It has no skills: no catalogue, none of the tools for skills and of their scripts."),
    privileged: z.boolean().describe("It may make agents and wire them with the tools of groups."),
    instructions: z.string().describe("What its model is told before every conversation."),
    models: z
      .array(RunModel)
      .describe("Models of its runs, in the order in which they are tried. Empty: the first model of each provider, in their order."),
    modelSettings: ModelSettings,
    runLimits: AgentRunLimits,
    mayBeAsked: z.boolean().describe("Other agents may hand tasks to it."),
    offeredAsTool: z.boolean().describe("Agents that tick it have it as the tool `agent_<name>`."),
    delegates: z.array(Id).nullable().describe("Agents to which it may hand tasks; `null`: all that may be asked."),
    tickedTools: z.number().int().describe("Number of ticked tools; 0: all enabled tools."),
    version: z.number().int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Agent" });
export type Agent = z.infer<typeof Agent>;

export const AgentDraft = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "1 to 64 lower-case letters, digits, _ or -"),
    description: z.string().max(1_000).default(""),
    disclosureMode: z.enum(disclosureModes).default("progressive"),
    sharedFolder: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "one folder name: letters, digits, dot, _ or -")
      .nullable()
      .default(null),
    allowedEffects: z
      .array(z.enum(toolEffects))
      .max(3)
      .nullable()
      .optional()
      .describe(
        "Effects that its calls may have, whatever rules say; `null`: all; absent: as it was, for a new one all that yours may have.",
      ),
    toolsDisabled: z.boolean().optional().describe("It has builtin tools only; absent: as it was, for a new one no."),
    skillsDisabled: z.boolean().optional().describe("It has no skills; absent: as it was, for a new one no."),
    privileged: z
      .boolean()
      .optional()
      .describe("It may make agents and wire them with the tools of groups; absent: as it was, for a new one no."),
    instructions: z
      .string()
      .max(100_000)
      .refine((text) => text.isWellFormed() && !text.includes("\0"), "must not hold a NUL character or half of a surrogate pair")
      .optional()
      .describe("What its model is told before every conversation; absent: as it was."),
    models: z
      .array(RunModel)
      .max(10)
      .optional()
      .describe("Models of its runs, in the order in which they are tried; absent: as they were."),
    modelSettings: ModelSettings.optional().describe("Settings of its models' replies; absent: as they were."),
    runLimits: AgentRunLimits.optional().describe("Limits of its runs; absent: as they were."),
    mayBeAsked: z.boolean().optional().describe("Other agents may hand tasks to it; absent: as it was, for a new one no."),
    offeredAsTool: z
      .boolean()
      .optional()
      .describe("Agents that tick it have it as the tool `agent_<name>`; absent: as it was, for a new one no."),
    delegates: z
      .array(Id)
      .max(100)
      .nullable()
      .optional()
      .describe("Agents to which it may hand tasks; `null`: all that may be asked; absent: as it was."),
  })
  .meta({ examples: [{ name: "support", description: "Answers customers" }] });
export type AgentDraft = z.infer<typeof AgentDraft>;

const params = z.object({ id: Id });
const AgentTools = z.object({
  tools: z.array(z.string()).describe("Empty: all enabled tools."),
  version: z.number().int().describe("The agent's version, which a change of its tools counts up too."),
});

/** Tools that a selection gives an agent, and their cost in tokens. */
export const AgentToolsPreview = z
  .object({
    advertised: z.number().int().describe("Tools whose full schema the model gets with every request."),
    inDirectory: z.number().int().describe("Tools that cost a line of the directory until the agent enables them."),
    tokens: z
      .object({ tools: z.number().int(), directory: z.number().int() })
      .describe("Tokens (o200k) per request of the full schemas, and of the directory with its hints."),
    joinsAllMcp: z.boolean().describe("Tools are ticked and none of them is an MCP tool: all enabled MCP tools join."),
    sources: z
      .array(
        z.object({
          source: z.string().describe("`builtin`, or `mcp:<alias>`."),
          advertised: z.number().int(),
          inDirectory: z.number().int(),
          tokens: z.number().int().describe("Tokens of its full schemas."),
          inFull: z.number().int().describe("Tokens if all its tools were shown in full."),
        }),
      )
      .describe("The same by source; the one with the most tokens first."),
    withoutDisclosure: z.number().int().describe("Tokens per request if every tool were shown in full."),
    modes: z
      .object({ progressive: z.number().int(), legacy: z.number().int(), none: z.number().int() })
      .describe("Tokens per request in each disclosure mode."),
    budget: z
      .object({ tokens: z.number().int(), demoted: z.array(z.string()) })
      .describe("Tokens that full schemas may cost, and the least used Core tools that move to the directory because of it."),
    unavailable: z
      .array(z.object({ tool: z.string(), reason: z.string() }))
      .describe("Ticked tools that the agent does not get now, each with the reason."),
  })
  .meta({ id: "AgentToolsPreview" });
export type AgentToolsPreview = z.infer<typeof AgentToolsPreview>;

export const AgentVersion = z
  .object({
    version: z.number().int(),
    summary: z.string().describe("What the version changed, in a line."),
    actor: ActorRef,
    createdAt: Timestamp,
  })
  .meta({ id: "AgentVersion" });
export type AgentVersion = z.infer<typeof AgentVersion>;

/** One setting that differs between two versions, as text. */
export const AgentChange = z.object({ setting: z.string(), before: z.string(), after: z.string() });
export type AgentChange = z.infer<typeof AgentChange>;

export const AgentVersionDetail = AgentVersion.extend({
  settings: z.record(z.string(), Json).describe("The agent's settings of this version, without its tools."),
  tools: z.array(z.string()).describe("Ticked tools. Empty: all enabled tools."),
  changes: z.array(AgentChange).describe("Differences from the version that `against` names."),
}).meta({ id: "AgentVersionDetail" });
export type AgentVersionDetail = z.infer<typeof AgentVersionDetail>;

const versionParams = z.object({ id: Id, version: z.coerce.number().int().min(1).max(2_147_483_647) });

export const agentEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/agents",
    summary: "Agents of the workspace",
    permission: "tools:read",
    query: z.object(pageQuery),
    response: listOf(Agent),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/agents",
    summary: "Add an agent",
    permission: "agents:write",
    body: AgentDraft,
    response: Agent,
    status: 201,
  }),
  get: endpoint({ method: "GET", path: "/api/v1/agents/{id}", summary: "One agent", permission: "tools:read", params, response: Agent }),
  update: endpoint({
    method: "PUT",
    path: "/api/v1/agents/{id}",
    summary: "Replace an agent's settings",
    headers: ["If-Match"],
    permission: "agents:write",
    params,
    body: AgentDraft,
    response: Agent,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/agents/{id}",
    summary: "Remove an agent; the default one stays",
    headers: ["If-Match"],
    permission: "agents:write",
    params,
    response: Empty,
  }),
  duplicate: endpoint({
    method: "POST",
    path: "/api/v1/agents/{id}/duplicate",
    summary: "Add an agent with another's settings and ticked tools; keys and conversations are not copied",
    permission: "agents:write",
    params,
    body: AgentDraft.pick({ name: true }).meta({ examples: [{ name: "support-copy" }] }),
    response: Agent,
    status: 201,
  }),
  versions: endpoint({
    method: "GET",
    path: "/api/v1/agents/{id}/versions",
    summary: "Versions of an agent's configuration, newest first",
    permission: "tools:read",
    params,
    query: z.object(pageQuery),
    response: listOf(AgentVersion),
  }),
  version: endpoint({
    method: "GET",
    path: "/api/v1/agents/{id}/versions/{version}",
    summary: "One version with its settings, and what differs from the version before it or from today's",
    permission: "tools:read",
    params: versionParams,
    query: z.object({ against: z.enum(["previous", "current"]).default("previous") }),
    response: AgentVersionDetail,
  }),
  restoreVersion: endpoint({
    method: "POST",
    path: "/api/v1/agents/{id}/versions/{version}/restore",
    summary: "Give an agent the settings and tools of an earlier version, as a new version",
    headers: ["If-Match"],
    permission: "agents:write",
    params: versionParams,
    response: Agent,
  }),
  getTools: endpoint({
    method: "GET",
    path: "/api/v1/agents/{id}/tools",
    summary: "The tools ticked for an agent",
    permission: "tools:read",
    params,
    response: AgentTools,
  }),
  setTools: endpoint({
    method: "PUT",
    path: "/api/v1/agents/{id}/tools",
    summary: "Tick the tools of an agent; an unknown name is refused",
    headers: ["If-Match"],
    permission: "agents:write",
    params,
    body: z
      .strictObject({ tools: z.array(z.string().min(1).max(64)).max(5_000) })
      .meta({ examples: [{ tools: ["read_file", "search_files"] }] }),
    response: AgentTools,
  }),
  previewTools: endpoint({
    method: "POST",
    path: "/api/v1/agents/{id}/tools/preview",
    summary: "What an agent would get with these tools ticked; saves nothing",
    permission: "tools:read",
    params,
    body: z
      .strictObject({ tools: z.array(z.string().min(1).max(64)).max(5_000) })
      .meta({ examples: [{ tools: ["read_file", "search_files"] }] }),
    response: AgentToolsPreview,
  }),
};

export const agentContract = defineContract({
  reference: { name: "Agents", description: "Named configurations: which tools an agent sees, and how." },
  glossary: {
    agent: "A named configuration: its tools, its folder, its disclosure mode and the limits of its calls.",
    "effective set": "All tools that one agent may use.",
    instructions: "The text of an agent that its model reads before every conversation.",
    "privileged agent": "An agent that may make agents from existing ones and wire them; an admin decides it.",
  },
  endpoints: agentEndpoints,
  actors: ["agent"],
  toolSources: ["agent"],
  permissions: { "agents:write": "Change agents" },
  implies: { "agents:write": ["tools:read"] },
  audit: {
    "agent.created": "Agent created",
    "agent.updated": "Agent updated",
    "agent.restored": "Earlier version of an agent restored",
    "agent.removed": "Agent removed",
    "agent.tools_changed": "Agent tools changed",
  },
  navigation: { label: "Agents", path: "/agents", icon: "IconRobot", key: "e", group: "agents", after: "/todos" },
});
