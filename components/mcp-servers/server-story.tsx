"use client";

import { Anchor, Button, Switch } from "@mantine/core";
import { IconPencil, IconRefresh, IconTrash } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRefusal } from "@/components/shell/me";
import { TierToggle } from "@/components/tools/tier-toggle";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { ErrorState } from "@/components/ui/error-state";
import { Facts } from "@/components/ui/facts";
import { MachineBlock } from "@/components/ui/machine-block";
import { MachineText } from "@/components/ui/machine-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { RevealedText } from "@/components/ui/revealed-text";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import { ShortId } from "@/components/ui/short-id";
import type { McpServer } from "@/contracts/mcp-servers";
import { confirmRemoval } from "./confirm-removal";
import classes from "./mcp-servers.module.css";
import { serverQueries } from "./queries";
import { ServerStatus } from "./server-status";
import { useChangeServer, useReconnect } from "./use-change-server";

type ServerStoryProps = { server: McpServer; onEdit: () => void; onRemoved: () => void };

/** How a server is, why, what it lists, and what can be done with it. */
export function ServerStory({ server, onEdit, onRemoved }: ServerStoryProps) {
  const refusal = useRefusal("mcp:write");
  const client = useQueryClient();
  const change = useChangeServer();
  const reconnect = useReconnect();
  return (
    <div className={classes.story}>
      <div className={classes.controls}>
        <ServerStatus status={server.status} />
        <DisabledReason reason={refusal}>
          <Switch
            label={server.enabled ? "On" : "Off"}
            aria-label={`${server.alias} is on`}
            checked={server.enabled}
            disabled={refusal !== null}
            onChange={(event) => change.mutate({ server, enabled: event.currentTarget.checked })}
          />
        </DisabledReason>
        <TierToggle
          of={`the tools of ${server.alias}`}
          tier={server.tier}
          lockedReason={refusal}
          onChange={(tier) => change.mutate({ server, tier })}
        />
      </div>
      <div className={classes.controls}>
        <DisabledReason reason={refusal}>
          <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} disabled={refusal !== null} onClick={onEdit}>
            Edit
          </Button>
        </DisabledReason>
        <DisabledReason reason={refusal}>
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={reconnect.isPending}
            disabled={refusal !== null || !server.enabled}
            onClick={() => reconnect.mutate(server)}
          >
            Reconnect
          </Button>
        </DisabledReason>
        <DisabledReason reason={refusal}>
          <Button
            variant="default"
            leftSection={<IconTrash size={16} aria-hidden />}
            disabled={refusal !== null}
            onClick={() => confirmRemoval(server, client, onRemoved)}
          >
            Remove
          </Button>
        </DisabledReason>
      </div>

      {server.lastError ? (
        <section className={classes.trouble} aria-label="What is wrong">
          <p className={classes.troubleWords}>{server.lastError}</p>
          {server.lastStderr ? <MachineBlock label="Last lines of its error stream" text={server.lastStderr} maxLines={14} /> : null}
        </section>
      ) : null}

      <Facts
        facts={[
          ["Reached", transportWords[server.transport]],
          ["Command", server.command ? <MachineText key="command">{[server.command, ...server.args].join(" ")}</MachineText> : null],
          ["URL", server.url ? <MachineText key="url">{server.url}</MachineText> : null],
          ["Environment", names(server.env)],
          ["Headers", names(server.headers)],
          ["Working folder", server.cwd ? <MachineText key="cwd">{server.cwd}</MachineText> : null],
          [
            "Says it is",
            server.serverInfo ? <RevealedText key="info" text={`${server.serverInfo.name} ${server.serverInfo.version}`} /> : null,
          ],
          ["Last connected", server.lastConnectedAt ? <RelativeTime key="connected" at={server.lastConnectedAt} /> : "never"],
          ["Times", `${server.connectTimeoutSeconds} s to connect, ${server.callTimeoutSeconds} s for a call`],
          ["Id", <ShortId key="id" id={server.id} />],
        ]}
      />
      <ServerTools server={server} />
    </div>
  );
}

const transportWords: Record<McpServer["transport"], string> = {
  stdio: "a program on this machine",
  streamable_http: "HTTP",
  sse: "HTTP, older (SSE)",
};

function names(map: Record<string, string>) {
  const entries = Object.entries(map);
  if (entries.length === 0) return null;
  return entries.map(([name, value]) => (
    <div key={name}>
      <MachineText>
        {name} = {value}
      </MachineText>
    </div>
  ));
}

function ServerTools({ server }: { server: McpServer }) {
  const tools = useQuery(serverQueries.tools(server.id));
  return (
    <section className={classes.part} aria-labelledby="server-tools-heading">
      <h3 className={classes.partTitle} id="server-tools-heading">
        Tools{" "}
        <Anchor component={Link} href={`/tools?source=mcp:${server.alias}`} size="sm">
          in the list of all tools
        </Anchor>
      </h3>
      {tools.isPending ? (
        <RowSkeletons rows={Math.min(server.toolCount, 6) || 1} height={3} what="its tools" />
      ) : tools.isError ? (
        <ErrorState error={tools.error} what="its tools" retry={() => void tools.refetch()} />
      ) : tools.data.items.length === 0 ? (
        <p className={classes.hint}>{server.status === "connecting" ? "It is still connecting." : "It has listed none yet."}</p>
      ) : (
        <ul className={classes.tools}>
          {tools.data.items.map((tool) => (
            <li key={tool.name} className={classes.tool}>
              {tool.allowed ? (
                <Anchor component={Link} href={`/tools?tool=${encodeURIComponent(tool.name)}`} className={classes.toolName}>
                  {tool.name}
                </Anchor>
              ) : (
                <span className={classes.toolName}>
                  {tool.rawName} <span className={classes.notAllowed}>not allowed</span>
                </span>
              )}
              <span className={classes.toolWords}>
                <RevealedText text={tool.description} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
