"use client";

import { Anchor, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import { VerdictBadge } from "@/components/kit/ui/badges/verdict-badge";
import { DetailDrawer } from "@/components/kit/ui/overlays/detail-drawer";
import { Facts } from "@/components/kit/ui/page/facts";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { ShortId } from "@/components/kit/ui/text/short-id";
import { MakeRule } from "@/components/nouns/guard/make-rule";
import type { AuditEvent } from "@/contracts/audit/audit";
import { auditProofEndpoints } from "@/contracts/browser/audit/audit-proof";
import classes from "./audit.module.css";
import { erasureOf } from "./erased-payload";
import { eventWords } from "./event-words";
import { auditQueries } from "./queries";

const exactFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });
const actorWords = { user: "Person", contact: "Contact", api_key: "API key", agent: "Agent", system: "Handrail" } as const;

type AuditDrawerProps = {
  id: string | null;
  /** The event from the list; null makes the drawer fetch the event. */
  listed: AuditEvent | null;
  onClose: () => void;
};

/** All details of one event. */
export function AuditDrawer({ id, listed, onClose }: AuditDrawerProps) {
  const search = useQuery({ ...auditQueries.one(id ?? ""), enabled: id !== null && listed === null });
  const event = listed ?? search.data;
  return (
    <DetailDrawer opened={id !== null} onClose={onClose} title={event ? eventWords(event.event) : "Event"}>
      {event ? (
        <Story event={event} />
      ) : search.error ? (
        <ErrorState error={search.error} what="this event" retry={search.refetch} retrying={search.isRefetching} />
      ) : search.data === null ? (
        <p className={shared.note}>Event not found in this workspace.</p>
      ) : (
        <Stack aria-hidden>
          <Skeleton height={120} />
          <Skeleton height={240} />
        </Stack>
      )}
    </DetailDrawer>
  );
}

function Story({ event }: { event: AuditEvent }) {
  const erasure = erasureOf(event);
  const hasData = Object.keys(event.data).length > 0 && erasure === null;
  const approvalId = event.event.startsWith("approval.") ? event.subject : null;
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          [
            "When",
            <span key="when">
              <RelativeTime at={event.at} /> <span className={shared.dim}>{exactFormat.format(Date.parse(event.at))}</span>
            </span>,
          ],
          [
            "Who",
            <span key="who">
              <RevealedText text={event.actor.name} /> <span className={shared.dim}>{actorWords[event.actor.type]}</span>
            </span>,
          ],
          ["Event", <CodeText key="event">{event.event}</CodeText>],
          [
            "What",
            event.subject ? (
              <span key="what">
                {event.subjectName ? <RevealedText text={event.subjectName} /> : null}{" "}
                <CodeText dim={event.subjectName !== null}>{event.subject}</CodeText>
              </span>
            ) : null,
          ],
          ["Tool", event.tool && event.tool !== event.subject ? <CodeText key="tool">{event.tool}</CodeText> : null],
          ["Agent", event.agent],
          ["Source", event.source ? <CodeText key="source">{event.source}</CodeText> : null],
          ["Verdict", event.verdict ? <VerdictBadge key="verdict" verdict={event.verdict} /> : null],
          ["Turn", event.turnId ? <GoTo key="turn" href={`/turns/${event.turnId}`} id={event.turnId} what="turn" /> : null],
          [
            "Approval",
            approvalId ? <GoTo key="approval" href={`/approvals?approval=${approvalId}`} id={approvalId} what="approval" /> : null,
          ],
          [
            "Conversation",
            event.conversationId ? (
              <GoTo
                key="conversation"
                href={`/audit?conversation=${event.conversationId}`}
                id={event.conversationId}
                what="conversation"
                label="All events"
              />
            ) : null,
          ],
          ["Call", event.callId ? <ShortId key="call" id={event.callId} what="call id" /> : null],
          ["Request", event.requestId ? <ShortId key="request" id={event.requestId} what="request id" /> : null],
          ["Entry", <ShortId key="entry" id={event.id} what="id of this entry" />],
          [
            "Proof",
            <Anchor key="proof" href={endpointAddress(auditProofEndpoints.proof, { params: { id: event.id } })} download size="sm">
              Download
            </Anchor>,
          ],
        ]}
      />
      {event.callId && event.verdict ? (
        <div>
          <MakeRule callId={event.callId} />
        </div>
      ) : null}
      {erasure ? (
        <p className={shared.note}>
          <RevealedText
            text={`Erased on ${exactFormat.format(Date.parse(erasure.at))} by ${erasure.by.name}. The digest stays, so that the audit verifies.`}
          />
        </p>
      ) : null}
      {hasData ? <CodeBlock label="Data, secrets masked" text={JSON.stringify(event.data, null, 2)} maxLines={40} /> : null}
    </Stack>
  );
}

function GoTo({ href, id, what, label }: { href: string; id: string; what: string; label?: string }) {
  return (
    <span className={classes.goTo}>
      <ShortId id={id} what={`${what} id`} />
      <Anchor component={Link} href={href} size="sm">
        {label ?? `See the ${what}`}
      </Anchor>
    </span>
  );
}
