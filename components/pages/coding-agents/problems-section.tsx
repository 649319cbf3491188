"use client";

import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { PageSection } from "@/components/kit/ui/page/page-section";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { clientWords } from "@/components/nouns/coding-agents/client-words";
import { codingAgentQueries } from "@/components/nouns/coding-agents/queries";
import type { CodingSession } from "@/contracts/agents/coding-agents";
import classes from "./coding-agents.module.css";
import { joinProblems, type Problems } from "./join-problems";

/** The doctor of the connections: what is wrong where, and what to do. Nothing without a problem. */
export function ProblemsSection({ sessions }: { sessions: readonly CodingSession[] }) {
  const { data } = useQuery(codingAgentQueries.connections());
  const found: Problems[] = [
    ...joinProblems(sessions),
    ...(data?.items ?? []).flatMap(({ id, client, host, problem }) =>
      problem === null ? [] : [{ key: id, where: `${clientWords[client]} on ${host}`, what: [problem] }],
    ),
  ];
  if (found.length === 0) return null;
  return (
    <PageSection heading="Needs attention" className={classes.first}>
      <ul className={rows.rows}>
        {found.map(({ key, where, what }) => (
          <li key={key} className={`${rows.row} ${classes.row}`}>
            <div className={classes.head}>
              <IconAlertTriangle size={16} stroke={1.8} aria-hidden className={classes.mark} />
              <span className={shared.strong}>
                <RevealedText text={where} />
              </span>
            </div>
            {what.map((sentence) => (
              <p key={sentence} className={shared.paragraph}>
                <RevealedText text={sentence} />
              </p>
            ))}
          </li>
        ))}
      </ul>
    </PageSection>
  );
}
