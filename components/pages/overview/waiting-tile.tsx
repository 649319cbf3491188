"use client";

import { IconHandStop } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { TimeLeftBadge } from "@/components/nouns/approvals/time-left-badge";
import type { OverviewRange } from "@/contracts/operations/overview";
import classes from "./overview.module.css";
import { overviewQueries } from "./queries";
import { Tile } from "./tile";

/** Pending approvals, next to expire first. */
export function WaitingTile({ range }: { range: OverviewRange }) {
  const { data, error, isPending } = useQuery(overviewQueries.get(range));
  const { pending = 0, nextToExpire = [] } = data?.approvals ?? {};
  const more = pending - nextToExpire.length;
  return (
    <Tile title="Approvals" icon={IconHandStop} href="/approvals" urgent={pending > 0} error={data ? null : error} loading={isPending}>
      <p className={classes.number}>
        {pending} <span className={classes.unit}>pending</span>
      </p>
      {pending === 0 ? <p className={`${classes.dim} ${shared.note} ${shared.wraps}`}>No pending approvals.</p> : null}
      <ul className={shared.plainList}>
        {nextToExpire.map(({ id, kind, summary, tool, agent, expiresAt }) => (
          <li key={id} className={classes.approval}>
            <span
              className={
                kind === "question" ? `${classes.question} ${shared.oneLine} ${shared.medium}` : `${classes.call} ${shared.oneLine}`
              }
              title={spellHidden(summary)}
            >
              <RevealedText text={summary || tool} />
            </span>
            <span className={`${classes.asker} ${shared.oneLine}`}>
              <RevealedText text={agent} /> · <CodeText>{tool}</CodeText>
            </span>
            <TimeLeftBadge expiresAt={expiresAt} />
          </li>
        ))}
      </ul>
      {more > 0 ? <p className={`${classes.dim} ${shared.note} ${shared.wraps}`}>and {more} more</p> : null}
    </Tile>
  );
}
