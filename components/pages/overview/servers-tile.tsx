"use client";

import { IconPlugConnected } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { serverQueries } from "@/components/nouns/mcp-servers/queries";
import classes from "./overview.module.css";
import { Tile } from "./tile";

const named = 3;

/** Connection of the MCP servers, with the names of unavailable ones. */
export function ServersTile() {
  const { data, error, isPending } = useQuery(serverQueries.list());
  const servers = data?.items ?? [];
  const connected = servers.filter(({ status }) => status === "connected").length;
  const broken = servers.filter(({ status }) => status === "error" || status === "needs_sign_in");
  return (
    <Tile
      title="MCP servers"
      icon={IconPlugConnected}
      href="/mcp-servers"
      urgent={broken.length > 0}
      error={data ? null : error}
      loading={isPending}
    >
      <p className={classes.number}>
        {connected} <span className={classes.unit}>connected</span>
      </p>
      {servers.length === 0 ? <p className={`${classes.dim} ${shared.note} ${shared.wraps}`}>No servers yet.</p> : null}
      {servers.length > 0 && broken.length === 0 ? <p className={`${classes.dim} ${shared.note} ${shared.wraps}`}>All healthy.</p> : null}
      <ul className={shared.plainList}>
        {broken.slice(0, named).map(({ id, alias, lastError }) => (
          <li key={id} className={classes.broken}>
            <StatusBadge tone="deny" plain>
              <CodeText>{alias}</CodeText>
            </StatusBadge>
            {lastError ? (
              <span className={`${classes.dim} ${shared.note} ${shared.wraps}`}>
                <RevealedText text={lastError} />
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {broken.length > named ? (
        <p className={`${classes.dim} ${shared.note} ${shared.wraps}`}>and {broken.length - named} more with a problem</p>
      ) : null}
    </Tile>
  );
}
