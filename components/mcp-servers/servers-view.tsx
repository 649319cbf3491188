"use client";

import { Button } from "@mantine/core";
import { IconPlugConnected, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { useRefusal } from "@/components/shell/me";
import { useShortcuts } from "@/components/shell/shortcuts";
import { useRowKeys } from "@/components/shell/use-row-keys";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { PageHeader } from "@/components/ui/page-header";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import rows from "@/components/ui/rows.module.css";
import { serverQueries } from "./queries";
import { ServerRow } from "./server-row";
import { useServerTools } from "./use-server-tools";
import { useSignInOutcome } from "./use-sign-in-outcome";

// Loaded after the page, because a drawer opens only on a click.
const ServerDrawer = dynamic(() => import("./server-drawer").then((file) => file.ServerDrawer), { ssr: false });

const inTheAddress = { server: parseAsString, edit: parseAsBoolean.withDefault(false) };

/** The MCP servers of the workspace. */
export function ServersView() {
  const servers = useQuery(serverQueries.list());
  const refusal = useRefusal("mcp:write");
  const [address, setAddress] = useQueryStates(inTheAddress, { history: "push" });
  useServerTools();
  useSignInOutcome();
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
      <PageHeader title="MCP servers" description="Connect MCP servers. A failing server does not affect the others.">
        {servers.data?.items.length === 0 ? null : addButton}
      </PageHeader>
      {servers.isPending ? (
        <RowSkeletons rows={3} height={4} what="the servers" />
      ) : !servers.data ? (
        <ErrorState error={servers.error} what="the servers" retry={() => void servers.refetch()} retrying={servers.isFetching} />
      ) : servers.data.items.length === 0 ? (
        <EmptyState icon={IconPlugConnected} title="No servers yet" action={addButton}>
          Add a server, and its tools appear under Tools. They start in Extension: agents see one line of each.
        </EmptyState>
      ) : (
        <ul className={rows.rows}>
          {servers.data.items.map((server) => (
            <ServerRow key={server.id} server={server} refusal={refusal} onOpen={(id) => void setAddress({ server: id, edit: false })} />
          ))}
        </ul>
      )}
      <ServerDrawer
        id={address.server}
        isEditing={address.edit && refusal === null}
        refusal={refusal}
        servers={servers.data?.items ?? []}
        onOpen={(id) => void setAddress({ server: id, edit: false })}
        onEdit={(edit) => void setAddress({ edit: edit || null })}
        onClose={() => void setAddress({ server: null, edit: null })}
      />
    </>
  );
}
