"use client";

import { Switch } from "@mantine/core";
import { useRefusal } from "@/components/kit/session/me";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { RowLink } from "@/components/kit/ui/lists/row-link";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { CureButtons } from "@/components/nouns/mcp-servers/cure-buttons";
import { useAllowCure, useChangeServer } from "@/components/nouns/mcp-servers/use-change-server";
import type { McpServer } from "@/contracts/mcp/mcp-servers";
import classes from "./mcp-servers.module.css";
import { ServerStatus } from "./server-status";
import { ServerTier } from "./server-tier";
import { SignInButton } from "./sign-in-button";
import { wantsSignIn } from "./use-sign-in";

/** A server in the list; a press anywhere on the row opens its details. */
export function ServerRow({ server, refusal, onOpen }: { server: McpServer; refusal: string | null; onOpen: (id: string) => void }) {
  const ownRefusal = useRefusal("turns:write");
  const change = useChangeServer();
  const allow = useAllowCure();
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={`${classes.what} ${shared.shrinks}`}>
        <RowLink className={`${classes.alias} ${shared.mono}`} href={`?server=${server.id}`} onOpen={() => onOpen(server.id)}>
          {server.alias}
        </RowLink>
        <p className={`${classes.address} ${shared.oneLine} ${shared.mono}`}>
          {server.transport === "stdio" ? [server.command, ...server.args].join(" ") : <RevealedText text={server.url} />}
        </p>
        {server.status === "error" && server.lastError ? (
          <p className={classes.rowError}>
            <RevealedText text={server.lastError} />
          </p>
        ) : null}
        {server.status === "connected" && server.cures.length > 0 ? (
          <p className={shared.subline}>The sandbox stood in the way of calls that failed.</p>
        ) : null}
        {(server.status === "error" || server.status === "connected") && server.cures.length > 0 ? (
          <div className={classes.rowButtons}>
            <CureButtons
              cures={server.cures}
              said={server.status === "error" ? server.lastError : null}
              isPending={allow.isPending}
              onAllow={(cure) => allow.mutate({ server, cure })}
            />
          </div>
        ) : null}
        {server.status === "needs_sign_in" && server.lastError ? (
          <p className={shared.subline}>
            <RevealedText text={server.lastError} />
          </p>
        ) : null}
        {server.authorization?.neededScope ? (
          <p className={shared.subline}>
            A call needs the scope <RevealedText text={server.authorization.neededScope} />. Connect again to grant it.
          </p>
        ) : null}
        {wantsSignIn(server) ? (
          <div className={classes.rowButtons}>
            <SignInButton
              server={server}
              refusal={server.personalSignIn ? ownRefusal : refusal}
              size="xs"
              onClientNeeded={() => onOpen(server.id)}
            />
          </div>
        ) : null}
        {server.toolNotes[0] ? (
          <p className={shared.subline}>
            <RevealedText text={server.toolNotes[0]} />
          </p>
        ) : null}
      </div>
      <div className={classes.status}>
        <ServerStatus status={server.status} />
      </div>
      <div className={classes.toolCount} data-numeric>
        {server.toolCount} {server.toolCount === 1 ? "tool" : "tools"}
      </div>
      <div className={shared.aboveLink}>
        <ServerTier server={server} refusal={refusal} />
      </div>
      <div className={`${classes.switch} ${shared.aboveLink}`}>
        <DisabledReason reason={refusal}>
          <Switch
            aria-label={`${server.alias} is on`}
            checked={server.enabled}
            disabled={refusal !== null}
            onChange={(event) => change.mutate({ server, enabled: event.currentTarget.checked })}
          />
        </DisabledReason>
      </div>
    </li>
  );
}
