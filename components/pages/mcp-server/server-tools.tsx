"use client";

import { Anchor, Switch, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { useRefusal } from "@/components/kit/session/me";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { useDrawnRows } from "@/components/kit/ui/lists/use-drawn-rows";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { plainPreview } from "@/components/kit/ui/text/plain-preview";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { serverQueries } from "@/components/nouns/mcp-servers/queries";
import { readAgain } from "@/components/nouns/mcp-servers/use-change-server";
import { FindingLines } from "@/components/nouns/tool-changes/finding-lines";
import { PinBadge } from "@/components/nouns/tool-changes/pin-badge";
import { ToolChangeCard } from "@/components/nouns/tool-changes/tool-change-card";
import { EffectLabel } from "@/components/nouns/tools/effect-label";
import { TierToggle } from "@/components/nouns/tools/tier-toggle";
import { type ToolTier, toolEffects, toolEndpoints } from "@/contracts/browser/tools/tools";
import type { DefinitionOf, Got } from "@/contracts/endpoint";
import type { McpServer, mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { EffectProposals } from "./effect-proposals";
import { HintTrust } from "./hint-trust";
import classes from "./mcp-servers.module.css";

type ServerTool = Got<DefinitionOf<typeof mcpServerEndpoints.tools>>["items"][number];

/** Shorter lists are seen at once. */
const searchedFrom = 10;

/** The tools of a server with their switches, and with tiers when the server allows a tier per tool. */
export function ServerTools({ server }: { server: McpServer }) {
  const tools = useQuery(serverQueries.tools(server.id));
  const [search, setSearch] = useState("");
  const all = tools.data?.items ?? [];
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const items = all.filter(({ name, rawName, description }) => {
    const text = `${name} ${rawName} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const [drawn, more] = useDrawnRows(items, 100);
  return (
    <section className={shared.part} aria-labelledby="server-tools-heading">
      <h3 className={classes.partTitle} id="server-tools-heading">
        Tools{" "}
        <Anchor component={Link} href={`/tools?source=mcp:${server.alias}`} size="sm">
          View in Tools
        </Anchor>
      </h3>
      {server.toolNotes.map((note) => (
        <p key={note} className={shared.hint}>
          <RevealedText text={note} />
        </p>
      ))}
      {tools.data ? <HintTrust server={server} hints={tools.data.hints} /> : null}
      <EffectProposals server={server} tools={all} />
      {all.length > searchedFrom ? (
        <TextInput
          className={classes.search}
          aria-label={`Search the tools of ${server.alias}`}
          placeholder={`Search ${all.length.toLocaleString("en")} tools`}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      ) : null}
      {tools.isPending ? (
        <RowSkeletons rows={Math.min(server.toolCount, 6) || 1} height={3} what="the tools" />
      ) : tools.isError ? (
        <ErrorState error={tools.error} what="the tools" retry={() => void tools.refetch()} />
      ) : all.length > 0 && items.length === 0 ? (
        <p className={shared.hint}>No tool has these words.</p>
      ) : items.length === 0 ? (
        <p className={shared.hint}>{server.status === "connecting" ? "Connecting…" : "No tools yet."}</p>
      ) : (
        <ul className={shared.plainList}>
          {drawn.map((tool) => (
            <ToolOfServer key={tool.name} tool={tool} server={server} />
          ))}
        </ul>
      )}
      {more}
    </section>
  );
}

function ToolOfServer({ tool, server }: { tool: ServerTool; server: McpServer }) {
  const client = useQueryClient();
  const refusal = useRefusal("tools:write");
  const change = useMutation({
    mutationFn: (wanted: { enabled: boolean } | { tier: ToolTier }) => {
      const params = { id: tool.name };
      return "tier" in wanted ? call(toolEndpoints.setTier, { params, body: wanted }) : call(toolEndpoints.patch, { params, body: wanted });
    },
    onSettled: () => readAgain(client),
  });
  const effect = toolEffects.find((known) => known === tool.effect);
  return (
    <li className={classes.tool}>
      <div className={classes.toolHead}>
        {tool.allowed ? (
          <Anchor component={Link} href={`/tools?tool=${encodeURIComponent(tool.name)}`} className={`${classes.toolName} ${shared.mono}`}>
            <RevealedText text={tool.name} />
          </Anchor>
        ) : (
          <span className={`${classes.toolName} ${shared.mono}`}>
            <RevealedText text={tool.rawName} /> {tool.pin === "gone" ? null : <span className={classes.notAllowed}>not allowed</span>}
          </span>
        )}
        {effect ? <EffectLabel effect={effect} /> : null}
        <PinBadge pin={tool.pin} isRejected={tool.change?.status === "rejected"} />
        {server.tierPerTool && tool.tier ? (
          <TierToggle of={tool.name} tier={tool.tier} lockedReason={refusal} onChange={(tier) => change.mutate({ tier })} />
        ) : null}
        {tool.enabled === null ? null : (
          <DisabledReason reason={refusal}>
            <Switch
              size="xs"
              aria-label={`${tool.name} is on`}
              checked={change.variables && "enabled" in change.variables && change.isPending ? change.variables.enabled : tool.enabled}
              disabled={refusal !== null || change.isPending}
              onChange={(event) => change.mutate({ enabled: event.currentTarget.checked })}
            />
          </DisabledReason>
        )}
      </div>
      <span className={classes.toolWords}>
        <RevealedText text={plainPreview(tool.description)} />
      </span>
      {tool.change ? <ToolChangeCard change={tool.change} /> : <FindingLines findings={tool.findings} />}
    </li>
  );
}
