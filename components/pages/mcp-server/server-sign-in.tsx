"use client";

import { Button, PasswordInput, Switch, TextInput } from "@mantine/core";
import { IconLogout2 } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { mcpCallbackPath } from "@/contracts/browser/mcp/mcp-authorization";
import type { McpServer } from "@/contracts/mcp/mcp-servers";
import classes from "./mcp-servers.module.css";
import { PersonSignIns } from "./person-sign-ins";
import { SignInButton } from "./sign-in-button";
import { useSignIn, useSignInAsClient, useSignOut, wantsSignIn } from "./use-sign-in";

/** The sign-in to a server: who is signed in and with which scope, Connect and Disconnect. */
export function ServerSignIn({ server, refusal }: { server: McpServer; refusal: string | null }) {
  const [isOwnClient, setOwnClient] = useState(false);
  const signOut = useSignOut();
  const { authorization, personalSignIn } = server;
  const openClient = () => setOwnClient(true);
  const persons = personalSignIn ? <PersonSignIns server={server} onClientNeeded={openClient} /> : null;
  if (!authorization) return persons;
  const { issuer, scope, neededScope, signedInBy, signedInAt } = authorization;
  const users = personalSignIn ? "Calls without a person use" : "Every agent that may use this server uses";
  return (
    <>
      {persons}
      <section className={`${classes.signIn} ${shared.framed}`} aria-label={personalSignIn ? "Sign-in of the workspace" : "Sign-in"}>
        {issuer ? (
          <p className={shared.wrapping}>
            {signedInBy} signed in at <CodeText>{URL.parse(issuer)?.host ?? issuer}</CodeText>{" "}
            {signedInAt ? <RelativeTime at={signedInAt} /> : null}. {users} this sign-in.
          </p>
        ) : (
          <p className={shared.wrapping}>
            {personalSignIn ? (
              "The workspace is not signed in. Calls without a person need its sign-in."
            ) : (
              <>
                <RevealedText text={server.lastError ?? "This server needs a sign-in."} /> {users} your sign-in.
              </>
            )}
          </p>
        )}
        {scope ? (
          <p className={shared.hint}>
            Scope: <CodeText>{scope}</CodeText>
          </p>
        ) : null}
        {neededScope ? (
          <p className={shared.wrapping}>
            A call needs the scope <CodeText>{neededScope}</CodeText>. Connect again to grant it.
          </p>
        ) : null}
        <div className={shared.bar}>
          {wantsSignIn(server) ? <SignInButton server={server} refusal={refusal} onClientNeeded={openClient} isForWorkspace /> : null}
          {issuer ? (
            <RefusableButton
              refusal={refusal}
              variant="default"
              leftSection={<IconLogout2 size={16} aria-hidden />}
              loading={signOut.isPending}
              onClick={() => signOut.mutate(server)}
            >
              Disconnect
            </RefusableButton>
          ) : (
            <Button variant="subtle" aria-expanded={isOwnClient} disabled={refusal !== null} onClick={() => setOwnClient(!isOwnClient)}>
              Enter a client ID
            </Button>
          )}
        </div>
        {isOwnClient && wantsSignIn(server) ? <OwnClientForm server={server} /> : null}
      </section>
    </>
  );
}

/** Client ID and secret of an authorization server that registers nobody by itself. */
function OwnClientForm({ server }: { server: McpServer }) {
  const [clientId, setClientId] = useState("");
  const [clientSecret, setClientSecret] = useState("");
  const [isMachine, setMachine] = useState(false);
  const signIn = useSignIn();
  const asClient = useSignInAsClient();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isMachine) return asClient.mutate({ server, clientId, clientSecret });
    signIn.mutate({ server, clientId, ...(clientSecret === "" ? {} : { clientSecret }) });
  };
  return (
    <form className={shared.story} onSubmit={submit}>
      <p className={shared.hint}>
        Register Handrail at the authorization server with the redirect address{" "}
        <CodeText>{`${window.location.origin}${mcpCallbackPath}`}</CodeText>.
      </p>
      <TextInput label="Client ID" required value={clientId} onChange={(event) => setClientId(event.currentTarget.value)} />
      <PasswordInput
        label="Client secret"
        description={isMachine ? "The token is asked for with it." : "Leave it empty for a public client."}
        required={isMachine}
        autoComplete="off"
        value={clientSecret}
        onChange={(event) => setClientSecret(event.currentTarget.value)}
      />
      <Switch
        label="Without a person (client credentials)"
        description="The workspace signs in as this client, and nobody opens a page"
        checked={isMachine}
        onChange={(event) => setMachine(event.currentTarget.checked)}
      />
      <div className={shared.bar}>
        <Button
          type="submit"
          loading={signIn.isPending || signIn.isSuccess || asClient.isPending}
          disabled={clientId.trim() === "" || (isMachine && clientSecret === "")}
        >
          Connect with this client
        </Button>
      </div>
    </form>
  );
}
