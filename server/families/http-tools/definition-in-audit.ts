import type { JsonObject } from "@/contracts/common";
import { maskInText } from "@/server/secrets/mask-secrets";
import type { RequestTemplate } from "./build-request";

type Definition = { effect: string; request: RequestTemplate; authProfileId: string | null; api: string | null };

/** Returns the audit's form of an HTTP tool: its method, address and auth profile, without texts that may hold a secret. */
export function definitionInAudit({ effect, request, authProfileId, api }: Definition): JsonObject {
  const { method, url, query, headers } = request;
  return { effect, method, url: maskInText(url), query: Object.keys(query), headers: Object.keys(headers), authProfileId, api };
}
