"use client";

import { IconTerminal2 } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import type { ListColumn } from "@/components/kit/ui/lists/list-table";
import { PagedTable } from "@/components/kit/ui/lists/paged-table";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { PageSection } from "@/components/kit/ui/page/page-section";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { clientWords } from "@/components/nouns/coding-agents/client-words";
import { codingAgentQueries } from "@/components/nouns/coding-agents/queries";
import type { CodingSession } from "@/contracts/agents/coding-agents";
import { OpenCalls, StoppedCalls } from "./call-sections";
import { ConnectSection } from "./connect-section";
import { ConnectionsSection } from "./connections-section";
import { ProblemsSection } from "./problems-section";

const columns: readonly ListColumn<CodingSession>[] = [
  {
    heading: "Session",
    cell: ({ client, version, folder, agent, repository, policy }) => (
      <>
        {clientWords[client]}
        {version ? <span className={shared.dim}> {version}</span> : null}
        <span className={`${shared.small} ${shared.wraps}`} style={{ display: "block" }}>
          <RevealedText text={agent === null ? folder : `${folder}, subagent ${agent}`} />
          {repository ? <RevealedText text={` · ${repository}`} /> : null}
          {policy && policy.mistake === null ? ` · ${policy.rules} ${policy.rules === 1 ? "rule" : "rules"} in .handrail.yaml` : null}
        </span>
      </>
    ),
  },
  { heading: "State", width: "10.5rem", cell: (session) => <SessionState session={session} /> },
  { heading: "Calls", width: "14rem", wideOnly: true, cell: ({ calls }) => <CallCounts calls={calls} /> },
  {
    heading: "Who",
    width: "11rem",
    wideOnly: true,
    cell: ({ user, host, key }) => <RevealedText text={user !== null && host !== null ? `${user} on ${host}` : key.name} />,
  },
  { heading: "Last seen", width: "6.5rem", cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
];

function CallCounts({ calls: { allowed, denied, released, spared, edited } }: { calls: CodingSession["calls"] }) {
  return (
    <>
      {`${allowed} ran, ${denied} refused${edited > 0 ? `, ${edited} edited` : ""}${released > 0 ? `, ${released} at work` : ""}`}
      <span className={shared.small} style={{ display: "block" }}>
        {spared === 0 ? "None passed without asking" : `${spared} passed without asking`}
      </span>
    </>
  );
}

function SessionState({ session: { calls, problems, endedAt } }: { session: CodingSession }) {
  if (problems.length > 0) return <StatusBadge tone="deny">Needs attention</StatusBadge>;
  if (calls.waiting > 0) return <StatusBadge tone="ask">Needs approval</StatusBadge>;
  return endedAt === null ? <StatusBadge tone="running">Open</StatusBadge> : <StatusBadge tone="unavailable">Ended</StatusBadge>;
}

/** Coding agents at work: what waits for people, what was stopped, their sessions, and what is wrong with their connections. */
export function CodingAgentsView({ address }: { address: string }) {
  const sessions = useInfiniteQuery(codingAgentQueries.sessions());
  const router = useRouter();
  const turnsOf = ({ conversationId }: CodingSession) => `/turns?conversation=${conversationId}`;
  return (
    <>
      <PageHeader title="Coding agents" description="Claude Code, Codex and others ask here before each call that they run themselves." />
      <OpenCalls />
      <ProblemsSection sessions={sessions.data?.pages.flatMap(({ items }) => items) ?? []} />
      <PageSection heading="Sessions" isFirst>
        <PagedTable
          query={sessions}
          items="sessions"
          label="Sessions of coding agents"
          columns={columns}
          hrefOf={turnsOf}
          onOpen={(session) => router.push(turnsOf(session))}
          empty={
            <EmptyState icon={IconTerminal2} title="No coding agent has asked yet">
              Connect one below. Its sessions appear with their first call.
            </EmptyState>
          }
        />
      </PageSection>
      <StoppedCalls />
      <ConnectionsSection />
      <ConnectSection address={address} />
    </>
  );
}
