"use client";

import { Alert, Anchor, Button } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconDatabaseOff, IconPlugConnected } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { call } from "@/components/kit/api/call";
import { FormSkeleton } from "@/components/kit/resources/form-skeleton";
import { ResourceDetails } from "@/components/kit/resources/resource-details";
import { ResourceDrawer } from "@/components/kit/resources/resource-drawer";
import type { ResourcePage } from "@/components/kit/resources/use-resource-page";
import { Facts } from "@/components/kit/ui/page/facts";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { ShortId } from "@/components/kit/ui/text/short-id";
import { type DataSource, dataSourceEndpoints } from "@/contracts/browser/tools/data-sources";
import { kindWords, placeOf, sslWords } from "./data-source-words";

const loadForm = () => import("./data-source-form");
const DataSourceForm = dynamic(() => loadForm().then((file) => file.DataSourceForm), { ssr: false, loading: FormSkeleton });

/** Details of a data source, its settings, or the form for a new one. */
export function DataSourceDrawer({ page }: { page: ResourcePage<DataSource> }) {
  return (
    <ResourceDrawer
      noun="data source"
      page={page}
      missingIcon={IconDatabaseOff}
      loadForm={loadForm}
      form={(source, leave) => <DataSourceForm source={source} onSaved={({ id }) => page.open(id)} onCancel={leave} />}
      details={(source) => <Details source={source} page={page} />}
    />
  );
}

const removalLoss = "Agents can no longer read this database. Its settings and its stored password are deleted.";

function Details({ source, page }: { source: DataSource; page: ResourcePage<DataSource> }) {
  const { id, name, kind, username, hasPassword, sslMode, description, createdAt } = source;
  const test = useMutation({ mutationFn: () => call(dataSourceEndpoints.test, { params: { id } }) });
  const isServer = kind !== "sqlite";
  return (
    <ResourceDetails
      page={page}
      row={source}
      loss={removalLoss}
      actions={
        <Button leftSection={<IconPlugConnected size={16} aria-hidden />} loading={test.isPending} onClick={() => test.mutate()}>
          Test connection
        </Button>
      }
    >
      <div role="status">
        {test.data ? (
          <Alert
            color={test.data.success ? "green" : "red"}
            icon={test.data.success ? <IconCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
            title={test.data.success ? `Connected in ${test.data.durationMs} ms` : "Not connected"}
          >
            <RevealedText text={test.data.message} />
          </Alert>
        ) : null}
      </div>
      <Facts
        facts={[
          ["Kind", kindWords[kind]],
          [isServer ? "Server" : "File", <CodeText key="place">{placeOf(source)}</CodeText>],
          ["User", isServer ? <CodeText key="user">{username}</CodeText> : null],
          ["Password", isServer ? (hasPassword ? "Stored encrypted" : "None") : null],
          ["TLS", isServer ? sslWords[sslMode] : null],
          ["Description", description || "None; models see the name only"],
          ["Added", <RelativeTime key="added" at={createdAt} />],
          ["Id", <ShortId key="id" id={id} what="id of the data source" />],
        ]}
      />
      <p className={shared.note}>
        Agents name it as <CodeText>{name}</CodeText> in{" "}
        <Anchor component={Link} href="/tools?tool=sql_query&view=try" size="sm" underline="always">
          sql_query
        </Anchor>
        . A guard rule on the argument <CodeText>dataSource</CodeText> limits who may.
      </p>
    </ResourceDetails>
  );
}
