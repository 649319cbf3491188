"use client";

import { IconDatabase } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { AddButton } from "@/components/kit/resources/add-button";
import { useResourcePage } from "@/components/kit/resources/use-resource-page";
import { AdminsOnly } from "@/components/kit/settings-frame/admins-only";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { RowLine, SwitchRow } from "@/components/kit/ui/lists/switch-row";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { plainPreview } from "@/components/kit/ui/text/plain-preview";
import { kindWords, placeOf } from "./data-source-words";
import { dataSourceResource } from "./queries";

// Loaded after the page, because a drawer opens only on a click.
const DataSourceDrawer = dynamic(() => import("./data-source-drawer").then((file) => file.DataSourceDrawer), { ssr: false });

/** The databases that agents may read. */
export function DataSourcesView() {
  const page = useResourcePage(dataSourceResource, {
    ...{ title: "Data sources", address: "source", permission: "data:write", isForAdmins: true },
  });
  const { list, rows: sources, refusal } = page;
  const addButton = <AddButton noun="data source" page={page} />;
  return (
    <>
      <PageHeader
        title="Data sources"
        description="Databases that agents read with datasource and sql_query. One SELECT, EXPLAIN or SHOW, 500 rows, 30 s."
      >
        {refusal === null && sources.length > 0 ? addButton : null}
      </PageHeader>
      {refusal !== null ? (
        <AdminsOnly what="data sources" reason={refusal} />
      ) : (
        <>
          <Loaded query={list} what="the data sources" rows={2} height={4.5}>
            {() =>
              sources.length === 0 ? (
                <EmptyState icon={IconDatabase} title="No data sources yet" action={addButton}>
                  Add a database, and agents answer questions from its tables. They read it and change nothing.
                </EmptyState>
              ) : (
                <ul className={rows.rows}>
                  {sources.map((source) => (
                    <SwitchRow
                      key={source.id}
                      name={source.name}
                      enabled={source.enabled}
                      href={`?source=${source.id}`}
                      aside={kindWords[source.kind]}
                      onOpen={() => page.open(source.id)}
                      onSwitch={(enabled) => page.switchEnabled(source, enabled)}
                    >
                      <RowLine text={placeOf(source)} kind="code" />
                      {source.description === "" ? null : <RowLine text={plainPreview(source.description)} />}
                    </SwitchRow>
                  ))}
                </ul>
              )
            }
          </Loaded>
          <DataSourceDrawer page={page} />
        </>
      )}
    </>
  );
}
