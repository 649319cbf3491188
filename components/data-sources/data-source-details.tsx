"use client";

import { Alert, Button, Switch } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconCheck, IconPencil, IconPlugConnected, IconTrash } from "@tabler/icons-react";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { call } from "@/components/api/call";
import { CodeText } from "@/components/ui/code-text";
import { confirmAction } from "@/components/ui/confirm-action";
import { Facts } from "@/components/ui/facts";
import { RelativeTime } from "@/components/ui/relative-time";
import { spellHidden } from "@/components/ui/reveal-hidden";
import { RevealedText } from "@/components/ui/revealed-text";
import { ShortId } from "@/components/ui/short-id";
import { type DataSource, dataSourceEndpoints } from "@/contracts/browser/data-sources";
import { kindWords, placeOf, sslWords } from "./data-source-words";
import classes from "./data-sources.module.css";
import { dataSourceQueries } from "./queries";
import { useSwitchDataSource, useTestDataSource } from "./use-change-data-source";

type DataSourceDetailsProps = { source: DataSource; onEdit: () => void; onRemoved: () => void };

/** Details of a data source: its connection, a test and its actions. */
export function DataSourceDetails({ source, onEdit, onRemoved }: DataSourceDetailsProps) {
  const client = useQueryClient();
  const change = useSwitchDataSource();
  const test = useTestDataSource();
  const isServer = source.kind !== "sqlite";
  return (
    <div className={classes.story}>
      <Switch
        label={source.enabled ? "On" : "Off"}
        aria-label={`${source.name} is on`}
        checked={source.enabled}
        onChange={(event) => change.mutate({ source, enabled: event.currentTarget.checked })}
      />
      <div className={classes.controls}>
        <Button leftSection={<IconPlugConnected size={16} aria-hidden />} loading={test.isPending} onClick={() => test.mutate(source)}>
          Test connection
        </Button>
        <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
          Edit
        </Button>
        <Button
          variant="default"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => confirmRemoval(source, client, onRemoved)}
        >
          Remove
        </Button>
      </div>
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
          ["Kind", kindWords[source.kind]],
          [isServer ? "Server" : "File", <CodeText key="place">{placeOf(source)}</CodeText>],
          ["User", isServer ? <CodeText key="user">{source.username}</CodeText> : null],
          ["Password", isServer ? (source.hasPassword ? "Stored encrypted" : "None") : null],
          ["TLS", isServer ? sslWords[source.sslMode] : null],
          ["Description", source.description || "None; models see the name only"],
          ["Added", <RelativeTime key="added" at={source.createdAt} />],
          ["Id", <ShortId key="id" id={source.id} what="id of the data source" />],
        ]}
      />
      <p className={classes.hint}>
        Agents name it as <CodeText>{source.name}</CodeText> in <Link href="/tools?tool=sql_query&view=try">sql_query</Link>. A guard rule
        on the argument <CodeText>dataSource</CodeText> limits who may.
      </p>
    </div>
  );
}

function confirmRemoval(source: DataSource, client: QueryClient, onRemoved: () => void) {
  confirmAction({
    title: `Remove ${source.name}`,
    children: "Agents can no longer read this database. Its settings and its stored password are deleted.",
    action: "Remove data source",
    onConfirm: async () => {
      await call(dataSourceEndpoints.remove, { params: { id: source.id } });
      onRemoved();
      notifications.show({ message: spellHidden(`${source.name} is removed`) });
      await client.invalidateQueries({ queryKey: dataSourceQueries.all() });
    },
  });
}
