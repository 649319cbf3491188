import type { JsonObject } from "@/contracts/common";
import type { Tool, ToolTier } from "@/contracts/tools/tools";
import type { agents, tools } from "@/db/schema";
import type { DeclaredEffect } from "@/server/guard/effects/declare-effects";
import type { AnyTool } from "./define-tool";
import type { Guidance } from "./tool-traits";

/** Core tools that the budget moves to the directory, and the tokens of those that stay. */
export type Demotion = { demoted: ReadonlySet<string>; coreTokens: number };

/** One tool of a workspace in its current configuration. Whether its source can run it now is not part of the configuration. */
export type RegisteredTool = typeof tools.$inferSelect & {
  sourceRef: string | null;
  /** Hosts, each with its port, that an admin lets the tool's MCP server reach. */
  sourceHosts?: readonly string[];
  /** The runnable form of a tool that is made from rows. */
  stored?: AnyTool;
  /** Alias of the MCP server, or the name of the imported API. */
  sourceName: string | null;
  /** The instructions of the MCP server for models. */
  sourceInstructions: string | null;
  /** The MCP server of the tool is enabled. */
  sourceEnabled: boolean;
  /** `escalate`: never shown to models, and reachable only through the bridge. */
  surface: Tool["surface"];
  surfaceReason: string;
  /** The default escalate word in the tool's name; set when its calls ask a person because no pipeline is connected. */
  sensitiveVerb: string | null;
  /** On the guard's list of denied tools, therefore never offered. */
  isDenied: boolean;
  tier: ToolTier;
  /** The reason why the tool's own tier cannot be set. */
  tierLockedReason: string | null;
  /** The description for the model: the override, or the tool's own description. */
  shownDescription: string;
  /** The schema for the model: the tool's own, and the arguments that the pipeline adds. */
  shownInputSchema: JsonObject;
  effectiveTimeoutMs: number;
  /** Characters of a result that the model reads; null when the tool pages by itself. */
  effectiveResultLimit: number | null;
  alwaysOn: boolean;
  hiddenUntilActive: boolean;
  /** Callable only in a conversation that was opened for it. */
  isInternal?: boolean;
  /** Works with skills. */
  ofSkills?: boolean;
  /** Agents that do not have it, because they have chosen other parts of its source. */
  withoutAgents?: ReadonlySet<string>;
  /** Listed behind the bridge. */
  listedLast?: boolean;
  /** Neither shown nor callable where several people read along. */
  hiddenInGroups?: boolean;
  onlyInChatsOf?: string;
  readsArtifacts: boolean;
  /** Refuses until the conversation's model has read its documentation. */
  needsInfo?: boolean;
  guidance?: Guidance;
  /** Not shown to models: no person has accepted its definition, or a person rejected its change. */
  isWithheld: boolean;
  /** Options of a tool that the model's provider runs. */
  nativeOptions?: JsonObject;
  /** The tool carries out tools on the escalate surface. */
  isBridge: boolean;
  /** Returns the effects of a call with these arguments; absent when the tool declares none. */
  effects?: (args: JsonObject) => readonly DeclaredEffect[];
};

export type CatalogAgent = typeof agents.$inferSelect & {
  ticked: ReadonlySet<string>;
  /** Tools that it has beside the ticked ones, because it was given skills. */
  joined: ReadonlySet<string>;
  /** The agent stands behind the bridge, so tools on the escalate surface are its own. */
  isBehindBridge: boolean;
  /** The agent's effective set by name, in listing order. */
  effective: ReadonlyMap<string, RegisteredTool>;
  /** Tools that Handrail itself calls for this agent, in conversations that were opened for them. */
  internal: readonly RegisteredTool[];
  /** The tool that reads cut results; null when the agent has none. */
  artifactReader: string | null;
} & Demotion;
