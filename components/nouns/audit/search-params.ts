import { parseAsIsoDateTime, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { isId, presentOnly, textUpTo, timestampOf } from "@/components/kit/api/address-parts";
import type { AuditFilter } from "@/contracts/audit/audit";
import { verdicts } from "@/contracts/browser/decisions/decision";

/** Search parameters of the page, read on the server and in the browser. */
export const auditSearch = {
  query: parseAsString,
  event: parseAsString,
  tool: parseAsString,
  agent: parseAsString,
  source: parseAsString,
  verdict: parseAsStringLiteral(verdicts),
  actor: parseAsString,
  conversation: parseAsString,
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
};

export type AuditSearch = {
  query: string | null;
  event: string | null;
  tool: string | null;
  agent: string | null;
  source: string | null;
  verdict: (typeof verdicts)[number] | null;
  actor: string | null;
  conversation: string | null;
  from: Date | null;
  to: Date | null;
};

export const noFilter: AuditSearch = {
  query: null,
  event: null,
  tool: null,
  agent: null,
  source: null,
  verdict: null,
  actor: null,
  conversation: null,
  from: null,
  to: null,
};

/** Returns the filter of an address; invalid parts are left out. */
export function toAuditFilter({ query, event, tool, agent, source, verdict, actor, conversation, from, to }: AuditSearch): AuditFilter {
  return presentOnly<AuditFilter>({
    query: textUpTo(200, query),
    event: textUpTo(64, event),
    tool: textUpTo(64, tool),
    agent: textUpTo(200, agent),
    source: textUpTo(200, source),
    verdict,
    actor: textUpTo(200, actor),
    conversationId: conversation && isId(conversation) ? conversation : null,
    from: timestampOf(from),
    to: timestampOf(to),
  });
}
