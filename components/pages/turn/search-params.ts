import { parseAsIsoDateTime, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { isId, presentOnly, textUpTo, timestampOf } from "@/components/kit/api/address-parts";
import { outcomeGroups } from "@/contracts/browser/calls/call-outcomes";
import { turnStatuses } from "@/contracts/browser/turns/turns";
import type { TurnFilter } from "@/contracts/turns/turns";

/** Search parameters of the list, read on the server and in the browser. */
export const turnSearch = {
  status: parseAsStringLiteral(turnStatuses),
  conversation: parseAsString,
  agent: parseAsString,
  tool: parseAsString,
  outcome: parseAsStringLiteral(outcomeGroups),
  query: parseAsString,
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
};

export type TurnSearch = {
  status: TurnFilter["status"] | null;
  conversation: string | null;
  agent: string | null;
  tool: string | null;
  outcome: TurnFilter["outcome"] | null;
  query: string | null;
  from: Date | null;
  to: Date | null;
};

/** Returns the filter of an address; invalid parts are left out. */
export function toTurnFilter({ status, conversation, agent, tool, outcome, query, from, to }: TurnSearch): TurnFilter {
  return presentOnly<TurnFilter>({
    status: status ?? null,
    agent: textUpTo(64, agent),
    tool: textUpTo(64, tool),
    outcome: outcome ?? null,
    query: textUpTo(200, query?.trim() ?? null),
    conversationId: conversation && isId(conversation) ? conversation : null,
    from: timestampOf(from),
    to: timestampOf(to),
  });
}
