"use client";

import { Alert, Button } from "@mantine/core";
import { IconEyeOff } from "@tabler/icons-react";
import classes from "@/components/kit/settings-frame/settings.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { ConnectClient } from "@/components/nouns/mcp-clients/connect-client";
import type { CreatedApiKey } from "@/contracts/identity/identity";

/** Shows a new key, which cannot be shown again. */
export function NewApiKey({ apiKey, onDone }: { apiKey: CreatedApiKey; onDone: () => void }) {
  const example = `curl ${window.location.origin}/api/v1/me -H "Authorization: Bearer ${apiKey.key}"`;
  return (
    <div className={shared.story}>
      <Alert color="yellow" icon={<IconEyeOff aria-hidden />}>
        Copy the key now: it is not shown again. If the key is lost, revoke it and create another.
      </Alert>
      <CodeBlock label="API key" text={apiKey.key} />
      {apiKey.scopes.includes("turns:write") && apiKey.scopes.includes("tools:read") ? (
        <>
          <p className={classes.description}>Connect an MCP client with it:</p>
          <ConnectClient url={window.location.origin} apiKey={apiKey.key} />
        </>
      ) : (
        <CodeBlock label="Command to try it" text={example} />
      )}
      <div className={shared.buttons}>
        <Button onClick={onDone} data-autofocus>
          I have copied it
        </Button>
      </div>
    </div>
  );
}
