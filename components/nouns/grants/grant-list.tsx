"use client";

import { Switch } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LoadMore } from "@/components/kit/ui/lists/load-more";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { GrantRow } from "./grant-row";
import { grantQueries } from "./queries";

/** The grants of the workspace, with their authors and uses, and a button to revoke each. */
export function GrantList() {
  const [past, setPast] = useState(false);
  const { data, error, refetch, isRefetching, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    grantQueries.list(past ? {} : { active: true }),
  );
  const grants = data?.pages.flatMap(({ items }) => items);
  return (
    <>
      <Switch
        className={shared.above}
        label="Show revoked and expired"
        checked={past}
        onChange={(event) => setPast(event.currentTarget.checked)}
      />
      {!grants && error ? (
        <ErrorState error={error} what="the grants" retry={refetch} retrying={isRefetching} />
      ) : !grants ? (
        <RowSkeletons rows={4} height={4} what="the grants" />
      ) : grants.length === 0 ? (
        <EmptyState icon={IconKey} title="No calls are always allowed">
          Choose "Always allow this" when you approve a call. Calls like it then run without approval, and appear here.
        </EmptyState>
      ) : (
        <>
          <ul className={rows.rows} aria-label="Grants">
            {grants.map((grant) => (
              <GrantRow key={grant.id} grant={grant} />
            ))}
          </ul>
          <LoadMore hasMore={hasNextPage} loading={isFetchingNextPage} onMore={fetchNextPage} what="grants" />
        </>
      )}
    </>
  );
}
