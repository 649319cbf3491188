"use client";

import { Button, NativeSelect } from "@mantine/core";
import { IconDownload, IconPlugConnected, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import { useShortcuts } from "@/components/kit/keyboard/shortcuts";
import { useRowKeys } from "@/components/kit/keyboard/use-row-keys";
import { useRefusal } from "@/components/kit/session/me";
import { SearchField } from "@/components/kit/ui/filters/search-field";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { useDrawnRows } from "@/components/kit/ui/lists/use-drawn-rows";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { NoMatches } from "@/components/kit/ui/states/no-matches";
import { serverQueries } from "@/components/nouns/mcp-servers/queries";
import { useServerTools } from "@/components/nouns/mcp-servers/use-server-tools";
import { mcpStatuses } from "@/contracts/browser/mcp/mcp-servers";
import { filterServers } from "./filter-servers";
import classes from "./mcp-servers.module.css";
import { ServerRow } from "./server-row";
import { useSignInOutcome } from "./use-sign-in-outcome";

// Loaded after the page, because a drawer opens only on a click.
const ServerDrawer = dynamic(() => import("./server-drawer").then((file) => file.ServerDrawer), { ssr: false });
const ExportServers = dynamic(() => import("./export-servers").then((file) => file.ExportServers), { ssr: false });

const inTheAddress = { server: parseAsString, edit: parseAsBoolean.withDefault(false) };
const filtersInTheAddress = { query: parseAsString.withDefault(""), status: parseAsStringLiteral(mcpStatuses) };
const statusWords = { disabled: "Off", connecting: "Connecting", connected: "Connected", needs_sign_in: "Needs sign-in", error: "Error" };
/** Shorter lists are seen at once. */
const filteredFrom = 6;
/** The MCP servers of the workspace. */
export function ServersView() {
  const servers = useQuery(serverQueries.list());
  const refusal = useRefusal("mcp:write");
  const [address, setAddress] = useQueryStates(inTheAddress, { history: "push" });
  const [filter, setFilter] = useQueryStates(filtersInTheAddress);
  const [isExporting, setExporting] = useState(false);
  const all = servers.data?.items ?? [];
  const shown = filterServers(all, filter);
  const [drawn, more] = useDrawnRows(shown, 100);
  useServerTools();
  useSignInOutcome();
  useRowKeys("MCP servers");
  const add = () => {
    if (refusal === null) void setAddress({ server: "new", edit: false });
  };
  useShortcuts([{ keys: "n", label: "Add a server", group: "MCP servers", run: add }]);

  const addButton = (
    <RefusableButton refusal={refusal} leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
      Add server
    </RefusableButton>
  );
  return (
    <>
      <PageHeader title="MCP servers" description="Connect MCP servers. A failing server does not affect the others.">
        {all.length > 0 && refusal === null ? (
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={() => setExporting(true)}>
            Export
          </Button>
        ) : null}
        {servers.data?.items.length === 0 ? null : addButton}
      </PageHeader>
      <Loaded query={servers} what="the servers" rows={3} height={4}>
        {(data) =>
          data.items.length === 0 ? (
            <EmptyState icon={IconPlugConnected} title="No servers yet" action={addButton}>
              Add a server, and its tools appear under Tools. They start in Extension: agents see one line of each.
            </EmptyState>
          ) : (
            <>
              {all.length >= filteredFrom || filter.query !== "" || filter.status ? (
                <search className={classes.filters}>
                  <SearchField
                    className={shared.field}
                    label="Search MCP servers"
                    placeholder={`Search ${all.length} servers`}
                    value={filter.query}
                    onChange={(query) => void setFilter({ query: query || null })}
                  />
                  <NativeSelect
                    aria-label="Status"
                    data={[{ value: "", label: "Any status" }, ...mcpStatuses.map((value) => ({ value, label: statusWords[value] }))]}
                    value={filter.status ?? ""}
                    onChange={(event) =>
                      void setFilter({ status: mcpStatuses.find((known) => known === event.currentTarget.value) ?? null })
                    }
                  />
                </search>
              ) : null}
              {shown.length === 0 ? (
                <NoMatches
                  title="No matching servers"
                  clear="Show all servers"
                  onClear={() => void setFilter({ query: null, status: null })}
                >
                  The search and the status hide all {all.length} servers.
                </NoMatches>
              ) : (
                <ul className={rows.rows}>
                  {drawn.map((server) => (
                    <ServerRow
                      key={server.id}
                      server={server}
                      refusal={refusal}
                      onOpen={(id) => void setAddress({ server: id, edit: false })}
                    />
                  ))}
                </ul>
              )}
              {more}
            </>
          )
        }
      </Loaded>
      <ExportServers opened={isExporting} onClose={() => setExporting(false)} />
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
