"use client";

import { IconTerminal2 } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { EmptyState } from "@/components/kit/ui/empty-state";
import type { ListColumn } from "@/components/kit/ui/list-table";
import { PageHeader } from "@/components/kit/ui/page-header";
import { PagedTable } from "@/components/kit/ui/paged-table";
import { RelativeTime } from "@/components/kit/ui/relative-time";
import { RevealedText } from "@/components/kit/ui/revealed-text";
import shared from "@/components/kit/ui/shared.module.css";
import { StatusBadge } from "@/components/kit/ui/status-badge";
import type { CodingSession } from "@/contracts/coding-agents";
import { clientWords } from "./client-words";
import { ConnectSection } from "./connect-section";
import { codingAgentQueries } from "./queries";

const columns: readonly ListColumn<CodingSession>[] = [
  {
    heading: "Session",
    cell: ({ client, folder, agent }) => (
      <>
        {clientWords[client]}{" "}
        <span className={shared.dim}>
          <RevealedText text={agent === null ? folder : `${folder}, subagent ${agent}`} />
        </span>
      </>
    ),
  },
  { heading: "State", width: "10.5rem", cell: (session) => <SessionState session={session} /> },
  { heading: "Calls", width: "12rem", wideOnly: true, cell: ({ calls }) => countsOf(calls) },
  {
    heading: "Who",
    width: "11rem",
    wideOnly: true,
    cell: ({ user, host, key }) => <RevealedText text={user !== null && host !== null ? `${user} on ${host}` : key.name} />,
  },
  { heading: "Last seen", width: "6.5rem", cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
];

function countsOf({ allowed, denied, released }: CodingSession["calls"]): string {
  const done = `${allowed} ran, ${denied} refused`;
  return released > 0 ? `${done}, ${released} at work` : done;
}

function SessionState({ session: { calls, problems, endedAt } }: { session: CodingSession }) {
  if (problems.length > 0) return <StatusBadge tone="deny">Needs attention</StatusBadge>;
  if (calls.waiting > 0) return <StatusBadge tone="ask">Needs approval</StatusBadge>;
  return endedAt === null ? <StatusBadge tone="running">Open</StatusBadge> : <StatusBadge tone="unavailable">Ended</StatusBadge>;
}

/** Sessions of coding agents, what is wrong with their connections, and how another one is connected. */
export function CodingAgentsView({ address }: { address: string }) {
  const sessions = useInfiniteQuery(codingAgentQueries.sessions());
  const router = useRouter();
  const turnsOf = ({ conversationId }: CodingSession) => `/turns?conversation=${conversationId}`;
  const wrong = sessions.data?.pages.flatMap(({ items }) => items).filter(({ problems }) => problems.length > 0) ?? [];
  return (
    <>
      <PageHeader title="Coding agents" description="Claude Code, Codex and others ask here before each call that they run themselves." />
      {wrong.length > 0 ? (
        <section aria-labelledby="problems-heading">
          <h2 className={shared.heading} id="problems-heading">
            Needs attention
          </h2>
          <ul>
            {wrong.flatMap(({ id, client, folder, problems }) =>
              problems.map((problem) => (
                <li key={`${id} ${problem}`}>
                  <RevealedText text={`${clientWords[client]} in ${folder}: ${problem}`} />
                </li>
              )),
            )}
          </ul>
        </section>
      ) : null}
      <PagedTable
        query={sessions}
        what="the sessions"
        more="sessions"
        skeletonRows={3}
        label="Sessions of coding agents"
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={turnsOf}
        onOpen={(session) => router.push(turnsOf(session))}
        empty={
          <EmptyState icon={IconTerminal2} title="No coding agent has asked yet">
            Connect one below. Its sessions appear with their first call.
          </EmptyState>
        }
      />
      <ConnectSection address={address} />
    </>
  );
}
