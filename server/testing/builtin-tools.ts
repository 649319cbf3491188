import { provideFamilies } from "@/server/families/provide-families";
import { db } from "@/server/platform/database/database";
import { syncTools } from "@/server/tools/sync-tools";

/** Provides the families to the core, as the product's start does. */
export const { tools: builtinTools, capabilities, work: familyWork } = provideFamilies();

/** Adds the builtin tools to a workspace, as the product's start does. */
export const addBuiltinTools = (workspaceId: string) =>
  db().transaction((tx) => syncTools(tx, { workspaceId, mcpServerId: null }, builtinTools));
