"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useRefusal } from "@/components/kit/session/me";
import { AdminsOnly } from "@/components/kit/settings-frame/admins-only";
import { Section } from "@/components/kit/settings-frame/section";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { type WorkQueue, workQueueNames } from "@/contracts/browser/operations/work";
import { workQueueWords } from "@/contracts/generated-work";
import { FailedItems } from "./failed-items";
import { workQueries } from "./queries";
import classes from "./work.module.css";

/** The queues of durable work, and the items that failed. */
export function WorkSection() {
  const refusal = useRefusal("admin");
  const queues = useQuery({ ...workQueries.queues(), enabled: refusal === null });
  return (
    <Section
      id="work"
      title="Durable work"
      description="Work that outlives requests and processes. A failed attempt is repeated after a pause; after the last attempt the item is listed as failed."
    >
      {refusal !== null ? (
        <AdminsOnly what="durable work" reason={refusal} />
      ) : (
        <Loaded query={queues} what="the queues" rows={workQueueNames.length} height={3.75}>
          {(data) => (
            <>
              <ul className={rows.rows} aria-label="Queues">
                {data.items.map((queue) => (
                  <QueueRow key={queue.name} queue={queue} />
                ))}
              </ul>
              <FailedItems />
            </>
          )}
        </Loaded>
      )}
    </Section>
  );
}

function QueueRow({ queue: { name, waiting, scheduled, active, failed, lastFinishedAt } }: { queue: WorkQueue }) {
  const { title, description } = workQueueWords[name];
  return (
    <li className={`${rows.row} ${classes.row} ${shared.spread}`}>
      <div>
        <p className={`${shared.flush} ${shared.strong}`}>
          <RevealedText text={title} />
        </p>
        <p className={shared.subline}>
          <RevealedText text={description} />
        </p>
      </div>
      <dl className={classes.counts}>
        <Count term="Waiting">{waiting}</Count>
        <Count term="Scheduled">{scheduled}</Count>
        <Count term="Active">{active}</Count>
        <Count term="Failed">{failed > 0 ? <StatusBadge tone="deny">{failed}</StatusBadge> : 0}</Count>
        <Count term="Last success">{lastFinishedAt ? <RelativeTime at={lastFinishedAt} /> : "none yet"}</Count>
      </dl>
    </li>
  );
}

function Count({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd data-numeric>{children}</dd>
    </div>
  );
}
