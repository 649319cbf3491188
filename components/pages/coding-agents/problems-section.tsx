"use client";

import { useQuery } from "@tanstack/react-query";
import { RevealedText } from "@/components/kit/ui/revealed-text";
import rows from "@/components/kit/ui/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { StatusBadge } from "@/components/kit/ui/status-badge";
import { clientWords } from "@/components/nouns/coding-agents/client-words";
import { codingAgentQueries } from "@/components/nouns/coding-agents/queries";
import type { CodingSession } from "@/contracts/coding-agents";
import classes from "./coding-agents.module.css";

type Problem = { key: string; where: string; what: string };

/** The doctor of the connections: what is wrong where, and what to do. Nothing without a problem. */
export function ProblemsSection({ sessions }: { sessions: readonly CodingSession[] }) {
  const { data } = useQuery(codingAgentQueries.connections());
  const found: Problem[] = [
    ...sessions.flatMap(({ id, client, folder, host, problems }) =>
      problems.map((what) => ({ key: `${id} ${what}`, where: `${clientWords[client]} in ${folder}${host ? ` on ${host}` : ""}`, what })),
    ),
    ...(data?.items ?? []).flatMap(({ id, client, host, problem }) =>
      problem === null ? [] : [{ key: id, where: `${clientWords[client]} on ${host}`, what: problem }],
    ),
  ];
  if (found.length === 0) return null;
  return (
    <section aria-labelledby="problems-heading" className={classes.first}>
      <h2 className={shared.sectionHeading} id="problems-heading">
        Needs attention
      </h2>
      <ul className={rows.rows}>
        {found.map(({ key, where, what }) => (
          <li key={key} className={`${rows.row} ${classes.row}`}>
            <div className={classes.head}>
              <StatusBadge tone="deny">Not safe</StatusBadge>
              <span className={shared.strong}>
                <RevealedText text={where} />
              </span>
            </div>
            <p className={shared.paragraph}>
              <RevealedText text={what} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
