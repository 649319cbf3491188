import type { ToolEffect } from "@/contracts/tools/tools";
import type { tools } from "@/db/schema";
import type { AuthProfileOfTool } from "@/server/capabilities/auth-profiles/credential";
import { http } from "@/server/capabilities/call-capabilities";
import type { HttpCapability } from "@/server/capabilities/network/http";
import type { DeclaredEffect } from "@/server/guard/effects/declare-effects";
import { checkArguments } from "@/server/mcp/connect/schemas/argument-check";
import type { AnyTool } from "@/server/tools/define-tool";
import { buildRequest, type RequestTemplate } from "./build-request";
import { sendRequest } from "./send-request";

export type ToolFacts = Pick<
  typeof tools.$inferSelect,
  | "name"
  | "title"
  | "description"
  | "rawName"
  | "family"
  | "effect"
  | "primaryArgument"
  | "inputSchema"
  | "defaultTier"
  | "defaultTimeoutMs"
>;

/** Makes the runnable form of an HTTP tool. */
export function makeHttpTool(facts: ToolFacts, request: RequestTemplate, profile: AuthProfileOfTool | null): AnyTool {
  const { name, title, description, rawName, family, effect, primaryArgument, inputSchema, defaultTier, defaultTimeoutMs } = facts;
  const idempotent = effect === "read";
  const effects = [effectOnHost(effect, request.url)];
  return {
    name,
    title,
    description,
    rawName,
    family,
    effect,
    primaryArgument,
    inputSchema,
    defaultTier,
    source: "http",
    sourceRef: null,
    needs: [http.name],
    capabilities: [http],
    aliases: [],
    concurrencySafe: idempotent,
    idempotent,
    mode: "direct",
    backgroundable: false,
    dangerous: false,
    alwaysOn: false,
    neverSpilled: false,
    timeoutMs: defaultTimeoutMs,
    effects: () => effects,
    parse: (args) => {
      const checked = checkArguments(name, inputSchema, args);
      if (!checked.ok) return checked;
      try {
        // Built while parsing, so that nobody approves a request that cannot be sent.
        buildRequest(request, checked.value);
        return checked;
      } catch (error) {
        return { ok: false, message: `The arguments of ${name} do not fit its request: ${error instanceof Error ? error.message : error}` };
      }
    },
    run: (args, context) =>
      sendRequest(
        { request: buildRequest(request, args), profile, idempotent: idempotent && context.mayRepeat !== false },
        { http: context.http as HttpCapability, signal: context.signal },
      ),
  };
}

const kinds = { read: "read", write: "send", destroy: "delete" } as const;

/** Declares the request's effect on its host, which belongs to the tool: the pointer to an argument is empty. */
function effectOnHost(effect: ToolEffect, template: string): DeclaredEffect {
  const { protocol, hostname, port } = new URL(template.replace(/\{\w+\}/g, "x"));
  const standard = protocol === "https:" ? "" : ":80";
  const host = `${hostname}${port ? `:${port}` : standard}`;
  return { kind: kinds[effect], argument: "", host, ...(effect === "destroy" ? { irreversible: true as const } : {}) };
}
