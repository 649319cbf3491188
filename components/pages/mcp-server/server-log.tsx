"use client";

import { useQuery } from "@tanstack/react-query";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { serverQueries } from "@/components/nouns/mcp-servers/queries";
import classes from "./mcp-servers.module.css";

/** The newest log messages that a server sent, newest first. */
export function ServerLog({ id }: { id: string }) {
  const log = useQuery(serverQueries.log(id));
  if (log.isPending) return <RowSkeletons rows={4} height={2} what="the log" />;
  if (log.isError) return <ErrorState error={log.error} what="the log" retry={() => void log.refetch()} />;
  const { items } = log.data;
  return (
    <section className={shared.stackClose} aria-label="Log">
      {items.length === 0 ? (
        <p className={shared.hint}>No log messages since this replica connected the server.</p>
      ) : (
        <ol className={shared.plainList}>
          {items.map(({ number, at, level, logger, text }) => (
            <li key={number} className={classes.tool} data-level={level}>
              <div className={classes.logHead}>
                <span className={`${classes.logLevel} ${shared.strong}`}>{level}</span>
                {logger ? <RevealedText text={logger} /> : null}
                <RelativeTime at={at} />
              </div>
              <div className={`${classes.logText} ${shared.mono}`}>
                <RevealedText text={text} />
              </div>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
