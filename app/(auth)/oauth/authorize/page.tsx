import type { Metadata } from "next";
import { nameChoices } from "@/components/kit/ui/forms/name-choices";
import { AllowClient } from "@/components/nouns/mcp-clients/allow-client";
import { placeOf } from "@/components/nouns/mcp-clients/place-of";
import { Entrance } from "@/components/pages/sign-in/entrance";
import { listAgents } from "@/server/agents/list-agents";
import { requirePermission } from "@/server/auth/actor";
import { signedInActor } from "@/server/auth/page-actor";
import { readAuthorizationRequest, redirectWithError } from "@/server/mcp/serve/sign-in/authorization-request";
import { OAuthError } from "@/server/mcp/serve/sign-in/oauth-error";

export const metadata: Metadata = { title: "Allow a client" };

type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** Asks a signed-in person whether an MCP client may use an agent's tools. */
export default async function AuthorizePage({ searchParams }: Search) {
  const given = Object.entries(await searchParams).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  const read = readAuthorizationRequest(new URLSearchParams(given));
  if (read.kind === "unusable") {
    return <Entrance title="This client cannot sign in" about={read.reason} />;
  }
  if (read.kind === "refused") {
    return (
      <Entrance title={`${read.client.name} cannot sign in`} about={`Its request is not valid: ${read.reason}.`}>
        <a href={read.redirectTo} rel="noreferrer">
          Back to {placeOf(read.redirectUri)}
        </a>
      </Entrance>
    );
  }
  const actor = await signedInActor();
  const { client, request } = read;
  const denied = redirectWithError(request, new OAuthError("access_denied", "The person did not allow it"));
  if (!actor.permissions.has("turns:write")) {
    return (
      <Entrance
        title={`${client.name} cannot sign in`}
        about={`Your role (${actor.role}) cannot call tools. Ask an admin of the workspace to connect the client.`}
      />
    );
  }
  const { items } = await listAgents(requirePermission(actor, "tools:read"), { limit: 200 });
  return (
    <Entrance title={`Allow ${client.name}?`}>
      <AllowClient client={client.name} request={request} denied={denied} person={actor.name} agents={nameChoices(items)} />
    </Entrance>
  );
}
