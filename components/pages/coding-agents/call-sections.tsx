"use client";

import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRefusal } from "@/components/kit/session/me";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { PageSection } from "@/components/kit/ui/page/page-section";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Tone } from "@/components/kit/ui/tone";
import { InlineApproval } from "@/components/nouns/approvals/detail/inline-approval";
import { clientWords } from "@/components/nouns/coding-agents/client-words";
import { codingAgentQueries } from "@/components/nouns/coding-agents/queries";
import type { CodingCall } from "@/contracts/agents/coding-agents";
import classes from "./coding-agents.module.css";

/** Cards on the page itself; the rest are lines, and the inbox has them all. */
const maxCards = 3;

/** The calls that wait for people, as cards to decide on, and those at work. */
export function OpenCalls() {
  const { data } = useQuery(codingAgentQueries.calls("open"));
  const noCards = useRefusal("approvals:read");
  const calls = data?.items ?? [];
  const waiting = calls.filter(({ status }) => status === "waiting").toReversed();
  const cards = noCards === null ? waiting.slice(0, maxCards).flatMap(({ approvalId }) => approvalId ?? []) : [];
  const lines = calls.filter(({ approvalId, status }) => status !== "waiting" || !cards.includes(approvalId ?? ""));
  if (calls.length === 0) return null;
  return (
    <PageSection heading="Now" className={classes.first}>
      <div className={shared.stack}>
        {cards.map((id) => (
          <InlineApproval key={id} id={id} />
        ))}
        {lines.length > 0 ? <CallList calls={lines} label="Calls that wait or are at work" /> : null}
        {waiting.length > cards.length && cards.length > 0 ? (
          <Anchor component={Link} href="/approvals" size="sm">
            All approvals are in the inbox
          </Anchor>
        ) : null}
      </div>
    </PageSection>
  );
}

/** The newest calls that were refused, or that a person changed. */
export function StoppedCalls() {
  const { data } = useQuery(codingAgentQueries.calls("stopped"));
  if (!data || data.items.length === 0) return null;
  return (
    <PageSection heading="Refused or changed">
      <CallList calls={data.items} label="Calls that were refused or changed" />
    </PageSection>
  );
}

const looks: Record<CodingCall["status"], { tone: Tone; word: string }> = {
  waiting: { tone: "ask", word: "Needs approval" },
  released: { tone: "running", word: "At work" },
  refused: { tone: "deny", word: "Refused" },
  succeeded: { tone: "allow", word: "Ran" },
  failed: { tone: "allow", word: "Ran, and failed" },
  cancelled: { tone: "unavailable", word: "Cancelled" },
  unknown: { tone: "unavailable", word: "Outcome unknown" },
};

function CallList({ calls, label }: { calls: readonly CodingCall[]; label: string }) {
  return (
    <ul className={rows.rows} aria-label={label}>
      {calls.map((call) => (
        <CallLine key={call.id} call={call} />
      ))}
    </ul>
  );
}

function CallLine({ call: { turnId, tool, summary, status, reason, editedBy, client, folder, at } }: { call: CodingCall }) {
  const { tone, word } = looks[status];
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={classes.head}>
        <StatusBadge tone={tone}>{word}</StatusBadge>
        {editedBy ? (
          <span>
            Changed by <RevealedText text={editedBy.name} />
          </span>
        ) : null}
        <span className={shared.small}>
          {clientWords[client]} in <RevealedText text={folder} />, <RelativeTime at={at} />
        </span>
      </div>
      <Link href={`/turns/${turnId}`} className={rows.link}>
        <RevealedText text={tool} /> <CodeText>{summary}</CodeText>
      </Link>
      {reason === "" ? null : (
        <p className={`${shared.note} ${shared.wraps}`}>
          <RevealedText text={reason} />
        </p>
      )}
    </li>
  );
}
