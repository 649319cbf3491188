"use client";

import { Button } from "@mantine/core";
import { IconDatabase, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { useShortcuts } from "@/components/keyboard/shortcuts";
import { useRowKeys } from "@/components/keyboard/use-row-keys";
import { useRefusal } from "@/components/session/me";
import { AdminsOnly } from "@/components/settings-frame/admins-only";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { PageHeader } from "@/components/ui/page-header";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import rows from "@/components/ui/rows.module.css";
import { DataSourceRow } from "./data-source-row";
import { dataSourceQueries } from "./queries";

// Loaded after the page, because a drawer opens only on a click.
const DataSourceDrawer = dynamic(() => import("./data-source-drawer").then((file) => file.DataSourceDrawer), { ssr: false });

const inTheAddress = { source: parseAsString, edit: parseAsBoolean.withDefault(false) };

/** The databases that agents may read. */
export function DataSourcesView() {
  const refusal = useRefusal("data:write");
  const sources = useQuery({ ...dataSourceQueries.list(), enabled: refusal === null });
  const [address, setAddress] = useQueryStates(inTheAddress, { history: "push" });
  useRowKeys("Data sources");
  const open = (source: string | null) => void setAddress({ source, edit: null });
  const add = () => {
    if (refusal === null) open("new");
  };
  useShortcuts([{ keys: "n", label: "Add a data source", group: "Data sources", run: add }]);

  const items = sources.data?.items ?? [];
  const addButton = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
      Add data source
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Data sources"
        description="Databases that agents read with datasource and sql_query. One SELECT, EXPLAIN or SHOW, 500 rows, 30 s."
      >
        {refusal === null && items.length > 0 ? addButton : null}
      </PageHeader>
      {refusal !== null ? (
        <AdminsOnly what="data sources" reason={refusal} />
      ) : (
        <>
          {sources.isPending ? (
            <RowSkeletons rows={2} height={4.5} what="the data sources" />
          ) : !sources.data ? (
            <ErrorState error={sources.error} what="the data sources" retry={() => void sources.refetch()} retrying={sources.isFetching} />
          ) : items.length === 0 ? (
            <EmptyState icon={IconDatabase} title="No data sources yet" action={addButton}>
              Add a database, and agents answer questions from its tables. They read it and change nothing.
            </EmptyState>
          ) : (
            <ul className={rows.rows}>
              {items.map((source) => (
                <DataSourceRow key={source.id} source={source} onOpen={open} />
              ))}
            </ul>
          )}
          <DataSourceDrawer
            id={address.source}
            isEditing={address.edit}
            sources={items}
            onEdit={(edit) => void setAddress({ edit: edit || null })}
            onCreated={open}
            onClose={() => open(null)}
          />
        </>
      )}
    </>
  );
}
