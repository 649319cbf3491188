"use client";

import { useQuery } from "@tanstack/react-query";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { PageSection } from "@/components/kit/ui/page/page-section";
import shared from "@/components/kit/ui/shared.module.css";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { clientWords } from "@/components/nouns/coding-agents/client-words";
import { codingAgentQueries } from "@/components/nouns/coding-agents/queries";
import classes from "./coding-agents.module.css";

/** The machines on which clients were connected, with when each was last seen. */
export function ConnectionsSection() {
  const { data } = useQuery(codingAgentQueries.connections());
  if (!data || data.items.length === 0) return null;
  return (
    <PageSection heading="Connected machines">
      <ul className={rows.rows}>
        {data.items.map(({ id, client, version, host, user, mode, key, lastSeenAt, connectedAt }) => (
          <li key={id} className={`${rows.row} ${classes.row}`}>
            <div className={classes.head}>
              {lastSeenAt === null ? <StatusBadge tone="deny">Never seen</StatusBadge> : <StatusBadge tone="allow">Seen</StatusBadge>}
              <span className={shared.strong}>
                <RevealedText text={`${clientWords[client]}${version ? ` ${version}` : ""} on ${host}`} />
              </span>
            </div>
            <p className={shared.note}>
              <RevealedText text={`${user ? `${user}, ` : ""}key "${key.name}", ${mode}`} />, connected <RelativeTime at={connectedAt} />
              {lastSeenAt === null ? null : (
                <>
                  , last seen <RelativeTime at={lastSeenAt} />
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </PageSection>
  );
}
