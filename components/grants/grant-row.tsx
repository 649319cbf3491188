"use client";

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { useMe, useRefusal } from "@/components/shell/me";
import { confirmAction } from "@/components/ui/confirm-action";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { MachineText } from "@/components/ui/machine-text";
import { RelativeTime } from "@/components/ui/relative-time";
import rows from "@/components/ui/rows.module.css";
import { StatusBadge } from "@/components/ui/status-badge";
import { type Grant, grantEndpoints } from "@/contracts/grants";
import classes from "./grant-list.module.css";
import { endOf, scopeOf, usesOf } from "./grant-words";
import { grantQueries } from "./queries";

const states = {
  active: { tone: "allow", word: "Allows" },
  expired: { tone: "unavailable", word: "Expired" },
  revoked: { tone: "unavailable", word: "Revoked" },
} as const;

/** One grant: what it lets pass, for whom, until when, by whom, and how often it was used. */
export function GrantRow({ grant }: { grant: Grant }) {
  const { tone, word } = states[grant.state];
  return (
    <li className={`${rows.row} ${classes.grant}`}>
      <div className={classes.words}>
        <div className={classes.head}>
          <MachineText>{grant.tool}</MachineText>
          <StatusBadge tone={tone}>{word}</StatusBadge>
          <span>{scopeOf(grant)}</span>
        </div>
        <div className={classes.match}>
          <Match grant={grant} />
        </div>
        <p className={classes.facts}>
          Given by {grant.grantedBy.name} <RelativeTime at={grant.createdAt} />. {endOf(grant)}
          {grant.kind === "until" && grant.expiresAt ? (
            <>
              {" "}
              <RelativeTime at={grant.expiresAt} />
            </>
          ) : null}
          . Findings up to {grant.maxSeverity}. {usesOf(grant)}
          {grant.lastUsedAt ? (
            <>
              , last <RelativeTime at={grant.lastUsedAt} />
            </>
          ) : null}
          .
          {grant.revokedBy && grant.revokedAt ? (
            <>
              {" "}
              Revoked by {grant.revokedBy.name} <RelativeTime at={grant.revokedAt} />.
            </>
          ) : null}
        </p>
        {grant.note ? <p className={classes.facts}>{grant.note}</p> : null}
      </div>
      {grant.state === "active" ? <Revoke grant={grant} /> : null}
    </li>
  );
}

function Match({ grant: { match } }: { grant: Grant }) {
  if (match.kind === "exact") {
    return (
      <>
        Exactly <MachineText>{JSON.stringify(match.arguments)}</MachineText>
      </>
    );
  }
  return (
    <>
      {match.parameter ? (
        <>
          <MachineText>{match.parameter}</MachineText> matches{" "}
        </>
      ) : (
        "Matches "
      )}
      <MachineText>{match.pattern}</MachineText>
    </>
  );
}

function Revoke({ grant }: { grant: Grant }) {
  const client = useQueryClient();
  const me = useMe();
  const noDecider = useRefusal("approvals:decide");
  const noAdmin = useRefusal("admin");
  const refusal =
    noDecider ?? (noAdmin && grant.grantedBy.id !== me.actor.id ? `Only ${grant.grantedBy.name} or an admin can revoke it.` : null);
  const revoke = () =>
    confirmAction({
      title: "Revoke this grant?",
      children: (
        <>
          From the next call on, a person is asked again about <MachineText>{grant.tool}</MachineText>. Calls that run now go on.
        </>
      ),
      action: "Revoke",
      onConfirm: async () => {
        await call(grantEndpoints.revoke, { params: { id: grant.id } });
        notifications.show({ message: `The grant for ${grant.tool} was revoked` });
        await client.invalidateQueries({ queryKey: grantQueries.all() });
      },
    });
  return (
    <DisabledReason reason={refusal}>
      <Button variant="default" size="compact-md" disabled={refusal !== null} onClick={revoke}>
        Revoke
      </Button>
    </DisabledReason>
  );
}
