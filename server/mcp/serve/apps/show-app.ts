import "server-only";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { McpApp } from "@/contracts/mcp/mcp-apps";
import type { Authorized } from "@/server/auth/actor";
import { presentResult } from "../call/present-result";
import { appContentSecurityPolicy, readAppOrigins } from "./app-policy";
import { type CallPlace, findApp, readAppPage } from "./find-app";

/** Returns the facts of a call's app: what it is given, and what it may reach. @throws AppError */
export async function getApp(actor: Authorized<"turns:read">, place: CallPlace): Promise<McpApp> {
  const app = await findApp(actor, place);
  const { turn, call, tool, uri } = app;
  const { meta } = await readAppPage(actor, app);
  const origins = readAppOrigins(meta);
  return {
    uri,
    server: tool.sourceName ?? "",
    tool: { name: tool.rawName ?? tool.name, title: tool.title, description: tool.description, inputSchema: tool.inputSchema },
    arguments: isJsonObject(call.arguments) ? call.arguments : {},
    result: (await presentResult({ actor }, turn, call)) as JsonObject,
    hasBorder: !isJsonObject(meta?.ui) || meta.ui.prefersBorder !== false,
    connectDomains: origins.connect,
    resourceDomains: origins.resource,
    frameDomains: origins.frame,
  };
}

/** Returns the page of a call's app with the policy that holds it in its frame. @throws AppError */
export async function showAppPage(actor: Authorized<"turns:read">, place: CallPlace): Promise<Response> {
  const { html, meta } = await readAppPage(actor, await findApp(actor, place));
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": appContentSecurityPolicy(readAppOrigins(meta)),
      "x-frame-options": "SAMEORIGIN",
      "x-dns-prefetch-control": "off",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    },
  });
}
