"use client";

import { Button } from "@mantine/core";
import { IconPlugConnected, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { useRefusal } from "@/components/shell/me";
import { useShortcuts } from "@/components/shell/shortcuts";
import { useRowKeys } from "@/components/shell/use-row-keys";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { PageHeader } from "@/components/ui/page-header";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import classes from "./mcp-servers.module.css";
import { serverQueries } from "./queries";
import { ServerDrawer } from "./server-drawer";
import { ServerRow } from "./server-row";
import { useToolsOfServers } from "./use-tools-of-servers";

const inTheAddress = { server: parseAsString, edit: parseAsBoolean.withDefault(false) };

/** The servers that tools come from. */
export function ServersView() {
  const servers = useQuery(serverQueries.list());
  const refusal = useRefusal("mcp:write");
  const [address, setAddress] = useQueryStates(inTheAddress, { history: "push" });
  useToolsOfServers();
  useRowKeys("MCP servers");
  const add = () => {
    if (refusal === null) void setAddress({ server: "new", edit: false });
  };
  useShortcuts([{ keys: "n", label: "Add a server", group: "MCP servers", run: add }]);

  const addButton = (
    <DisabledReason reason={refusal}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} disabled={refusal !== null} onClick={add}>
        Add server
      </Button>
    </DisabledReason>
  );
  return (
    <>
      <PageHeader
        title="MCP servers"
        description="Where more tools come from. A server that fails is set aside with its reason; nothing else stops because of it."
      >
        {servers.data?.items.length === 0 ? null : addButton}
      </PageHeader>
      {servers.isPending ? (
        <RowSkeletons rows={3} height={4} what="the servers" />
      ) : !servers.data ? (
        <ErrorState error={servers.error} what="the servers" retry={() => void servers.refetch()} retrying={servers.isFetching} />
      ) : servers.data.items.length === 0 ? (
        <EmptyState icon={IconPlugConnected} title="No server yet" action={addButton}>
          Add one, and its tools appear under Tools by themselves, in Extension: agents see a line of each and ask for those that they need.
        </EmptyState>
      ) : (
        <ul className={classes.rows}>
          {servers.data.items.map((server) => (
            <ServerRow key={server.id} server={server} refusal={refusal} onOpen={(id) => void setAddress({ server: id, edit: false })} />
          ))}
        </ul>
      )}
      <ServerDrawer
        id={address.server}
        isEditing={address.edit && refusal === null}
        servers={servers.data?.items ?? []}
        onOpen={(id) => void setAddress({ server: id, edit: false })}
        onEdit={(edit) => void setAddress({ edit: edit || null })}
        onClose={() => void setAddress({ server: null, edit: null })}
      />
    </>
  );
}
