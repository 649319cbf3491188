"use client";

import { Switch } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { PagedList } from "@/components/kit/ui/lists/paged-list";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { GrantRow } from "./grant-row";
import { grantQueries } from "./queries";

const noGrants = (
  <EmptyState icon={IconKey} title="No calls are always allowed">
    Choose "Always allow this" when you approve a call. Calls like it then run without approval, and appear here.
  </EmptyState>
);

/** The grants of the workspace, with their authors and uses, and a button to revoke each. */
export function GrantList() {
  const [past, setPast] = useState(false);
  const list = useInfiniteQuery(grantQueries.list(past ? {} : { active: true }));
  return (
    <>
      <Switch
        className={shared.above}
        label="Show revoked and expired"
        checked={past}
        onChange={(event) => setPast(event.currentTarget.checked)}
      />
      <PagedList query={list} items="grants" skeletons={{ rows: 4, height: 4 }} empty={noGrants}>
        {(grants) => (
          <ul className={rows.rows} aria-label="Grants">
            {grants.map((grant) => (
              <GrantRow key={grant.id} grant={grant} />
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}
