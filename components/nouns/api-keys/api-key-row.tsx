"use client";

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconBan, IconClockX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import classes from "@/components/kit/settings-frame/settings.module.css";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { useNow } from "@/components/kit/ui/text/now";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { limitWords } from "@/components/nouns/tools/effect-words";
import { trustNames } from "@/components/nouns/tools/trust-words";
import { type ApiKey, identityEndpoints } from "@/contracts/browser/identity/identity";
import { keyState } from "./key-state";
import { apiKeyQueries } from "./queries";
import { findPreset } from "./scope-words";

/** A key: its prefix, scopes and last use. */
export function ApiKeyRow({ apiKey, agent }: { apiKey: ApiKey; agent: string | null }) {
  const client = useQueryClient();
  const state = keyState(apiKey, useNow(60));
  const limit = limitWords(apiKey.allowedEffects);
  const revoke = () =>
    confirmAction({
      title: `Revoke ${apiKey.name}`,
      children: (
        <>
          Programs that use <CodeText>{apiKey.prefix}…</CodeText> are refused at once. This cannot be undone; a new key can be created.
        </>
      ),
      action: "Revoke key",
      onConfirm: async () => {
        await call(identityEndpoints.revokeApiKey, { params: { id: apiKey.id } });
        notifications.show({ message: spellHidden(`${apiKey.name} is revoked`) });
        await client.invalidateQueries({ queryKey: apiKeyQueries.list().queryKey });
      },
    });
  return (
    <li className={`${rows.row} ${classes.row}`} data-over={state !== "active" || undefined}>
      <div className={shared.shrinks}>
        <p className={`${classes.name} ${shared.strong} ${shared.wrapping}`}>
          <RevealedText text={apiKey.name} /> <CodeText dim>{apiKey.prefix}…</CodeText>
        </p>
        <p className={shared.subline}>
          {findPreset(apiKey.scopes)?.label ?? null} <CodeText dim>{apiKey.scopes.join(" ")}</CodeText>
          {agent ? (
            <>
              {" "}
              · agent <CodeText>{agent}</CodeText>
            </>
          ) : null}
          {limit ? ` · ${limit}` : null}
          {apiKey.trustClass === "gateway" ? null : ` · ${trustNames[apiKey.trustClass]}`}
        </p>
      </div>
      <dl className={classes.times}>
        <div>
          <dt>Created</dt>
          <dd>
            <RelativeTime at={apiKey.createdAt} /> by <RevealedText text={apiKey.createdBy.name} />
          </dd>
        </div>
        <div>
          <dt>Used</dt>
          <dd>{apiKey.lastUsedAt ? <RelativeTime at={apiKey.lastUsedAt} /> : "never"}</dd>
        </div>
        {state === "active" && apiKey.expiresAt ? (
          <div>
            <dt>Expires</dt>
            <dd>
              <RelativeTime at={apiKey.expiresAt} />
            </dd>
          </div>
        ) : null}
      </dl>
      <div className={classes.action}>
        {state === "active" ? (
          <Button variant="default" size="compact-sm" aria-label={`Revoke ${apiKey.name}`} onClick={revoke}>
            Revoke
          </Button>
        ) : (
          <StatusBadge tone="unavailable" icon={state === "revoked" ? IconBan : IconClockX}>
            {state === "revoked" ? "Revoked" : "Expired"}
          </StatusBadge>
        )}
      </div>
    </li>
  );
}
