"use client";

import { Switch } from "@mantine/core";
import { IconPencil, IconRefresh, IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useRefusal } from "@/components/kit/session/me";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { Facts } from "@/components/kit/ui/page/facts";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { ShortId } from "@/components/kit/ui/text/short-id";
import { CureButtons } from "@/components/nouns/mcp-servers/cure-buttons";
import { useAllowCure, useChangeServer, useReconnect } from "@/components/nouns/mcp-servers/use-change-server";
import type { McpServer } from "@/contracts/mcp/mcp-servers";
import { confirmRemoval } from "./confirm-removal";
import classes from "./mcp-servers.module.css";
import { ServerContents } from "./server-contents";
import { ServerSignIn } from "./server-sign-in";
import { ServerStatus } from "./server-status";
import { ServerTier } from "./server-tier";

type ServerDetailsProps = { server: McpServer; onEdit: () => void; onRemoved: () => void };

/** Status of a server with its reason, its tools, and its actions. */
export function ServerDetails({ server, onEdit, onRemoved }: ServerDetailsProps) {
  const refusal = useRefusal("mcp:write");
  const client = useQueryClient();
  const change = useChangeServer();
  const reconnect = useReconnect();
  const allow = useAllowCure();
  return (
    <div className={shared.story}>
      <div className={shared.bar}>
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
        <ServerTier server={server} refusal={refusal} />
      </div>
      <div className={shared.bar}>
        <RefusableButton refusal={refusal} variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
          Edit
        </RefusableButton>
        <RefusableButton
          refusal={refusal}
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={reconnect.isPending}
          disabled={!server.enabled}
          onClick={() => reconnect.mutate(server)}
        >
          Reconnect
        </RefusableButton>
        <RefusableButton
          refusal={refusal}
          variant="default"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => confirmRemoval(server, client, onRemoved)}
        >
          Remove
        </RefusableButton>
      </div>

      {server.lastError && server.status !== "needs_sign_in" ? (
        <section className={classes.trouble} aria-label="Error">
          <p className={shared.wrapping}>
            <RevealedText text={server.lastError} />
          </p>
          <CureButtons
            cures={server.cures}
            said={server.lastError}
            isPending={allow.isPending}
            onAllow={(cure) => allow.mutate({ server, cure })}
          />
          {server.lastStderr ? <CodeBlock label="Last lines of stderr" text={server.lastStderr} maxLines={14} /> : null}
        </section>
      ) : null}
      {server.status === "connected" && server.cures.length > 0 ? (
        <section className={classes.trouble} aria-label="Kept by the sandbox">
          <p className={shared.wrapping}>The sandbox stood in the way of calls that failed.</p>
          <CureButtons cures={server.cures} isPending={allow.isPending} onAllow={(cure) => allow.mutate({ server, cure })} />
        </section>
      ) : null}
      {server.status === "connected" && server.lastEnding ? (
        <section aria-label="Last end">
          <p className={shared.hint}>
            Ended by itself <RelativeTime at={server.lastEnding.at} />: <RevealedText text={server.lastEnding.error} />
          </p>
          {server.lastEnding.stderr ? <CodeBlock label="Its last lines of stderr" text={server.lastEnding.stderr} maxLines={6} /> : null}
        </section>
      ) : null}

      <ServerSignIn server={server} refusal={refusal} />

      <Facts
        facts={[
          ["Transport", transportWords[server.transport]],
          ["Command", server.command ? <CodeText key="command">{[server.command, ...server.args].join(" ")}</CodeText> : null],
          ["URL", server.url ? <CodeText key="url">{server.url}</CodeText> : null],
          ["Environment", names(server.env)],
          ["Headers", names(server.headers)],
          ["Network", server.transport === "stdio" ? networkWords(server) : null],
          ["Sandbox", server.unconfined],
          ["May read", server.readablePaths.length > 0 ? <CodeText key="readable">{server.readablePaths.join(", ")}</CodeText> : null],
          ["Tiers", server.tierPerTool ? "each tool may have its own" : null],
          ["Allowed tools", server.allowedTools?.length === 0 ? "none" : null],
          ["Excluded tools", server.excludedTools.length > 0 ? server.excludedTools.join(", ") : null],
          ["Hints", server.trustHints ? "trusted" : "not trusted"],
          ["Sampling", server.allowSampling ? "may ask our models" : "not allowed"],
          ["Its questions", server.questions === "client_first" ? "answered by the calling MCP client, else here" : "answered here only"],
          ["Prompts and resources", server.offerContents ? "offered to MCP clients" : null],
          ["Expected tools", server.expectedTools ? server.expectedTools.length : null],
          ["Expected version", server.expectedVersion],
          ["Program digest", server.packageDigest ? <CodeText key="digest">{server.packageDigest}</CodeText> : null],
          ["Working folder", server.cwd ? <CodeText key="cwd">{server.cwd}</CodeText> : null],
          [
            "Server info",
            server.serverInfo ? <RevealedText key="info" text={`${server.serverInfo.name} ${server.serverInfo.version}`} /> : null,
          ],
          ["Last connected", server.lastConnectedAt ? <RelativeTime key="connected" at={server.lastConnectedAt} /> : "never"],
          ["Timeouts", `connect ${server.connectTimeoutSeconds} s, call ${server.callTimeoutSeconds} s`],
          ["Session", sessionWords(server)],
          ["Calls carry", server.personalSignIn ? "the sign-in of the person who asks" : null],
          ["Calls", server.parallelCalls ? "side by side" : "one after another in a conversation"],
          ["Id", <ShortId key="id" id={server.id} />],
        ]}
      />
      <ServerContents server={server} />
    </div>
  );
}

const transportWords: Record<McpServer["transport"], string> = {
  stdio: "stdio",
  streamable_http: "Streamable HTTP",
  sse: "SSE (legacy)",
};

function networkWords({ network, allowedHosts }: McpServer): string {
  const hosts = allowedHosts.join(", ");
  if (network === "none") return "none";
  if (network === "hosts") return hosts;
  return hosts === "" ? "any public host" : `any public host, and ${hosts}`;
}

function sessionWords({ sessionScope, sessionIdleSeconds }: McpServer): string {
  if (sessionScope === "shared") return "shared by all conversations";
  return `${sessionScope === "per_user" ? "one per user" : "one per conversation"}, closed after ${sessionIdleSeconds} idle seconds`;
}

function names(map: Record<string, string>) {
  const entries = Object.entries(map);
  if (entries.length === 0) return null;
  return entries.map(([name, value]) => (
    <div key={name}>
      <CodeText>
        {name} = {value}
      </CodeText>
    </div>
  ));
}
