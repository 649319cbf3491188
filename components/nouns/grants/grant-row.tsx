"use client";

import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { useMe, useRefusal } from "@/components/kit/session/me";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { CallArguments } from "@/components/nouns/calls/call-arguments";
import { type Grant, grantEndpoints } from "@/contracts/browser/guard/grants";
import classes from "./grant-list.module.css";
import { describeEnd, describeScope, describeUses } from "./grant-words";
import { grantQueries } from "./queries";
import { reachWords } from "./reach-words";

const states = {
  active: { tone: "allow", word: "Active" },
  expired: { tone: "unavailable", word: "Expired" },
  revoked: { tone: "unavailable", word: "Revoked" },
} as const;

/** One grant: its match, scope, end, author and number of uses. */
export function GrantRow({ grant }: { grant: Grant }) {
  const { tone, word } = states[grant.state];
  return (
    <li className={`${rows.row} ${classes.grant} ${shared.spread}`}>
      <div className={classes.words}>
        <div className={classes.head}>
          <CodeText>{grant.tool}</CodeText>
          <StatusBadge tone={tone}>{word}</StatusBadge>
          <span>{describeScope(grant)}</span>
        </div>
        <div className={shared.wraps}>
          <Match grant={grant} />
        </div>
        <p className={shared.note}>
          Allowed by <RevealedText text={grant.grantedBy.name} /> <RelativeTime at={grant.createdAt} />. {describeEnd(grant)}
          {grant.kind === "until" && grant.expiresAt ? (
            <>
              {" "}
              <RelativeTime at={grant.expiresAt} />
            </>
          ) : null}
          . Calls with findings above {grant.maxSeverity} still need approval.
          {grant.revokedBy && grant.revokedAt ? (
            <>
              {" "}
              Revoked by <RevealedText text={grant.revokedBy.name} /> <RelativeTime at={grant.revokedAt} />.
            </>
          ) : null}
        </p>
        <p className={shared.note}>
          {describeUses(grant)}
          {grant.lastUsedAt ? (
            <>
              , last <RelativeTime at={grant.lastUsedAt} />
            </>
          ) : null}
          .
        </p>
        {grant.contents ? (
          <p className={shared.note}>
            Holds while these files stay as they were: <RevealedText text={fileNames(grant.contents)} />
          </p>
        ) : null}
        {grant.note ? (
          <p className={shared.note}>
            <RevealedText text={grant.note} />
          </p>
        ) : null}
      </div>
      {grant.state === "active" ? <Revoke grant={grant} /> : null}
    </li>
  );
}

const shownFiles = 5;

function fileNames({ files }: NonNullable<Grant["contents"]>): string {
  const names = files.slice(0, shownFiles).map(({ path }) => path);
  const hidden = files.length - names.length;
  return names.length === 0
    ? "none, so a call that reads one still asks."
    : `${names.join(", ")}${hidden > 0 ? ` and ${hidden} more` : ""}.`;
}

function Match({ grant: { match } }: { grant: Grant }) {
  if (match.kind === "exact") {
    return (
      <>
        <span className={shared.note}>Exactly these arguments:</span>
        <CallArguments args={match.arguments} primaryArgument={null} />
      </>
    );
  }
  return (
    <>
      {match.parameter ? (
        <>
          <CodeText>{match.parameter}</CodeText> matches{" "}
        </>
      ) : (
        "Matches "
      )}
      <CodeText>
        <RevealedText text={match.pattern} />
      </CodeText>
      {match.reach ? <span className={shared.note}> {reachWords(match.reach)}</span> : null}
    </>
  );
}

function Revoke({ grant }: { grant: Grant }) {
  const client = useQueryClient();
  const me = useMe();
  const noDecider = useRefusal("approvals:decide");
  const noAdmin = useRefusal("admin");
  const refusal =
    noDecider ?? (noAdmin && grant.grantedBy.id !== me.actor.id ? `Only ${grant.grantedBy.name} or an admin can revoke this grant.` : null);
  const revoke = () =>
    confirmAction({
      title: "Revoke this grant?",
      children: (
        <>
          New calls of <CodeText>{grant.tool}</CodeText> need approval again. Running calls continue.
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
    <RefusableButton refusal={refusal} variant="default" size="compact-md" onClick={revoke}>
      Revoke
    </RefusableButton>
  );
}
