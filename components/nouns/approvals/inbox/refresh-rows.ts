import type { QueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { type ApprovalFilter, approvalEndpoints } from "@/contracts/browser/approvals/approvals";
import { approvalQueries, asQuery } from "../queries";
import { type InboxPages, mergeRows } from "./merge-rows";

/** With more changed lines than this the lists are read anew; the API answers at most 50 by id. */
const maxRows = 50;

/**
 * Brings approvals up to date that changed: the lists of the inbox get the changed lines only, because a list of hundreds is
 * tens of kilobytes and changes with every call.
 */
export async function refreshApprovals(client: QueryClient, ids: ReadonlySet<string>): Promise<void> {
  if (ids.size === 0 || ids.size > maxRows) return client.invalidateQueries({ queryKey: approvalQueries.all() });
  const isOfOthers = (key: readonly unknown[]) => perApproval.has(String(key[1])) && !ids.has(String(key[2]));
  const isInbox = (key: readonly unknown[]) => key[1] === "inbox";
  const others = client.invalidateQueries({
    queryKey: approvalQueries.all(),
    predicate: ({ queryKey }) => !isInbox(queryKey) && !isOfOthers(queryKey),
  });
  const lists = client.getQueryCache().findAll({ queryKey: approvalQueries.inboxes() });
  await Promise.all([others, ...lists.map(({ queryKey }) => refreshList(client, queryKey, ids))]);
}

/** Queries whose key has an approval's id in the third place. */
const perApproval = new Set(["one", "preview", "proposals"]);

async function refreshList(client: QueryClient, queryKey: readonly unknown[], ids: ReadonlySet<string>): Promise<void> {
  const query = client.getQueryCache().find<unknown, Error, InboxPages>({ queryKey, exact: true });
  const anew = () => client.invalidateQueries({ queryKey, exact: true });
  // A list that nobody looks at is read when somebody does; the answer to a running request may be older than the change.
  const isRead = () => query?.state.fetchStatus === "fetching";
  if (!query?.isActive() || isRead() || query.state.data === undefined) return anew();
  const readsBefore = query.state.dataUpdateCount;
  const filter = queryKey[2] as ApprovalFilter;
  const sending = { query: { ...asQuery(filter), sort: "expires" as const, limit: maxRows, only: [...ids].join(",") } };
  const changed = await call(approvalEndpoints.inbox, sending).catch(() => null);
  if (!changed || query.state.dataUpdateCount !== readsBefore || isRead()) return anew();
  client.setQueryData<InboxPages>(queryKey, (known) => known && mergeRows(known, ids, changed));
}
