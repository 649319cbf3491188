import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";

/** Extension of MCP for user interfaces of tools (MCP Apps, SEP-1865). */
export const appsExtension = "io.modelcontextprotocol/ui";
/** Media type of an app's document. */
export const appMediaType = "text/html;profile=mcp-app";

/** Returns the address of a tool's user interface, as MCP Apps and their earlier drafts name it; null for a tool without one. */
export function appUriOf(meta: JsonObject | null | undefined): string | null {
  const { ui, "ui/resourceUri": earlier } = meta ?? {};
  const uri = isJsonObject(ui) ? ui.resourceUri : earlier;
  return typeof uri === "string" && uri.startsWith("ui://") ? uri : null;
}

/** Returns whether models may call a tool: its server may keep it for its own apps. */
export const isForModels = (meta: JsonObject | null | undefined): boolean => isVisibleTo(meta, "model");

/** Returns whether the apps of a tool's own server may call it. */
export const isForApps = (meta: JsonObject | null | undefined): boolean => isVisibleTo(meta, "app");

function isVisibleTo(meta: JsonObject | null | undefined, who: "model" | "app"): boolean {
  const visibility = isJsonObject(meta?.ui) ? meta.ui.visibility : undefined;
  return !Array.isArray(visibility) || visibility.includes(who);
}
