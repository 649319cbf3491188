"use client";

import { OneTimeSecret } from "@/components/kit/resources/one-time-secret";
import classes from "@/components/kit/settings-frame/settings.module.css";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { ConnectClient } from "@/components/nouns/mcp-clients/connect-client";
import type { CreatedApiKey } from "@/contracts/identity/identity";

/** Shows a new key, which cannot be shown again. */
export function NewApiKey({ apiKey, onDone }: { apiKey: CreatedApiKey; onDone: () => void }) {
  const example = `curl ${window.location.origin}/api/v1/me -H "Authorization: Bearer ${apiKey.key}"`;
  return (
    <OneTimeSecret words="Copy the key now: it is not shown again. If the key is lost, revoke it and create another." onDone={onDone}>
      <CodeBlock label="API key" text={apiKey.key} />
      {apiKey.scopes.includes("turns:write") && apiKey.scopes.includes("tools:read") ? (
        <>
          <p className={classes.description}>Connect an MCP client with it:</p>
          <ConnectClient url={window.location.origin} apiKey={apiKey.key} />
        </>
      ) : (
        <CodeBlock label="Command to try it" text={example} />
      )}
    </OneTimeSecret>
  );
}
