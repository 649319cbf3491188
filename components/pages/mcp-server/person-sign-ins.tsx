"use client";

import { IconLogin2, IconLogout2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { serverQueries } from "@/components/nouns/mcp-servers/queries";
import type { McpPersonSignIn } from "@/contracts/mcp/mcp-authorization";
import type { McpServer } from "@/contracts/mcp/mcp-servers";
import classes from "./mcp-servers.module.css";
import { SignInButton } from "./sign-in-button";
import { useSignIn, useSignOutPerson } from "./use-sign-in";

/** The sign-ins of persons to a server where each person signs in: one's own with its button, and for admins those of others. */
export function PersonSignIns({ server, onClientNeeded }: { server: McpServer; onClientNeeded: () => void }) {
  const refusal = useRefusal("turns:write");
  const adminRefusal = useRefusal("mcp:write");
  const { data } = useQuery(serverQueries.signIns(server.id));
  const own = data?.items.find(({ isYou }) => isYou);
  const others = (data?.items ?? []).filter(({ isYou }) => !isYou);
  const isSignedIn = Boolean(own?.signedInAt);
  return (
    <section className={`${classes.signIn} ${shared.framed}`} aria-label="Your sign-in">
      <p className={shared.wrapping}>
        {isSignedIn ? "Your calls carry your own sign-in." : "Each person signs in to this server. Your calls fail until you connect."}{" "}
        {server.listedWith ? `The tools are listed with the sign-in of ${server.listedWith}.` : null}
      </p>
      {own?.lastError ? (
        <p className={shared.wrapping}>
          <RevealedText text={own.lastError} />
        </p>
      ) : null}
      {own?.neededScope ? (
        <p className={shared.wrapping}>
          A call of yours needs the scope <CodeText>{own.neededScope}</CodeText>. Connect again to grant it.
        </p>
      ) : null}
      {own ? <PersonLine server={server} signIn={own} refusal={refusal} /> : null}
      {isSignedIn && !own?.neededScope ? null : (
        <div className={shared.bar}>
          <SignInButton server={server} refusal={refusal} onClientNeeded={onClientNeeded} />
        </div>
      )}
      {others.length > 0 ? (
        <ul className={shared.plainList} aria-label="Others who are signed in">
          {others.map((signIn) => (
            <li key={signIn.personId}>
              <PersonLine server={server} signIn={signIn} refusal={adminRefusal} />
            </li>
          ))}
        </ul>
      ) : null}
      {server.authorization ? null : <ConnectWorkspace server={server} refusal={adminRefusal} />}
    </section>
  );
}

function PersonLine({ server, signIn, refusal }: { server: McpServer; signIn: McpPersonSignIn; refusal: string | null }) {
  const signOut = useSignOutPerson();
  const { personId, name, isYou, issuer, scope, signedInAt } = signIn;
  if (!signedInAt) {
    return isYou ? null : (
      <span>
        <RevealedText text={name} /> could not sign in
      </span>
    );
  }
  return (
    <div className={shared.bar}>
      <span className={shared.wrapping}>
        <RevealedText text={name} /> signed in <RelativeTime at={signedInAt} />
        {issuer ? (
          <>
            {" "}
            at <CodeText>{URL.parse(issuer)?.host ?? issuer}</CodeText>
          </>
        ) : null}
        {scope ? (
          <>
            {" "}
            with the scope <CodeText>{scope}</CodeText>
          </>
        ) : null}
      </span>
      <RefusableButton
        refusal={refusal}
        size="xs"
        variant="default"
        leftSection={<IconLogout2 size={16} aria-hidden />}
        aria-label={isYou ? "Disconnect yourself" : `Disconnect ${name}`}
        loading={signOut.isPending}
        onClick={() => signOut.mutate({ server, personId })}
      >
        Disconnect
      </RefusableButton>
    </div>
  );
}

function ConnectWorkspace({ server, refusal }: { server: McpServer; refusal: string | null }) {
  const signIn = useSignIn();
  return (
    <div>
      <p className={shared.hint}>
        Calls without a person, such as those of a key that nobody made, carry the workspace's sign-in. There is none.
      </p>
      <RefusableButton
        refusal={refusal}
        size="xs"
        variant="subtle"
        leftSection={<IconLogin2 size={16} aria-hidden />}
        loading={signIn.isPending || signIn.isSuccess}
        onClick={() => signIn.mutate({ server, forWorkspace: true })}
      >
        Connect the workspace
      </RefusableButton>
    </div>
  );
}
