"use client";

import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { keyPlaceholder } from "./agent-snippets";
import { ConnectClient } from "./connect-client";
import classes from "./connect-client.module.css";

/** Shows how an MCP client uses the agent's tools. Rendered in the browser only, because it shows the page's own address. */
export function ConnectClientCard({ agent }: { agent: string }) {
  return (
    <section className={`${shared.stack} ${shared.card}`} aria-label="Connect a client">
      <div>
        <h2 className={shared.subtitle}>Connect a client</h2>
        <p className={classes.words}>
          A client that knows OAuth needs only the address; its user then chooses the agent here. Other clients get the tools of{" "}
          <RevealedText text={agent} /> with one of its keys. Every call passes the guard, and approvals appear in the inbox.
        </p>
      </div>
      <ConnectClient url={window.location.origin} apiKey={keyPlaceholder} />
    </section>
  );
}
