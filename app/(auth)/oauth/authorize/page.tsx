import type { Metadata } from "next";
import { AllowClient } from "@/components/mcp-clients/allow-client";
import { placeOf } from "@/components/mcp-clients/place-of";
import { Brand } from "@/components/shell/brand";
import { listAgents } from "@/server/agents/list-agents";
import { requirePermission } from "@/server/auth/actor";
import { signedInActor } from "@/server/auth/page-actor";
import { readAuthorizationRequest, redirectWithError } from "@/server/mcp/serve/sign-in/authorization-request";
import { OAuthError } from "@/server/mcp/serve/sign-in/oauth-error";
import classes from "../../sign-in/page.module.css";

export const metadata: Metadata = { title: "Allow a client" };

type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** Asks a signed-in person whether an MCP client may use an agent's tools. */
export default async function AuthorizePage({ searchParams }: Search) {
  const given = Object.entries(await searchParams).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  const read = readAuthorizationRequest(new URLSearchParams(given));
  if (read.kind === "unusable") {
    return (
      <Box title="This client cannot sign in">
        <p className={classes.about}>{read.reason}</p>
      </Box>
    );
  }
  if (read.kind === "refused") {
    return (
      <Box title={`${read.client.name} cannot sign in`}>
        <p className={classes.about}>Its request is not valid: {read.reason}.</p>
        <a href={read.redirectTo} rel="noreferrer">
          Back to {placeOf(read.redirectUri)}
        </a>
      </Box>
    );
  }
  const actor = await signedInActor();
  const { client, request } = read;
  const denied = redirectWithError(request, new OAuthError("access_denied", "The person did not allow it"));
  if (!actor.permissions.has("turns:write")) {
    return (
      <Box title={`${client.name} cannot sign in`}>
        <p className={classes.about}>Your role ({actor.role}) cannot call tools. Ask an admin of the workspace to connect the client.</p>
      </Box>
    );
  }
  const { items } = await listAgents(requirePermission(actor, "tools:read"), { limit: 200 });
  return (
    <Box title={`Allow ${client.name}?`}>
      <AllowClient
        client={client.name}
        request={request}
        denied={denied}
        person={actor.name}
        agents={items.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </Box>
  );
}

function Box({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <main className={classes.main}>
      <div className={classes.box}>
        <div className={classes.brand}>
          <Brand />
        </div>
        <h1 className={classes.title}>{title}</h1>
        {children}
      </div>
    </main>
  );
}
