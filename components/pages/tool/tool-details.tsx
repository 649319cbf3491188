"use client";

import { Anchor, Switch } from "@mantine/core";
import { IconCloudComputing, IconShieldCheck } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useState } from "react";
import { useRefusal } from "@/components/kit/session/me";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { Facts } from "@/components/kit/ui/page/facts";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { CopyButton } from "@/components/kit/ui/text/copy-button";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { FindingLines } from "@/components/nouns/tool-changes/finding-lines";
import { EffectLabel } from "@/components/nouns/tools/effect-label";
import { toolSource } from "@/components/nouns/tools/filter-tools";
import { TierToggle } from "@/components/nouns/tools/tier-toggle";
import { ToolSchema } from "@/components/nouns/tools/tool-schema";
import { ToolWarnings } from "@/components/nouns/tools/tool-warnings";
import type { Tool } from "@/contracts/tools/tools";
import { DescriptionForm } from "./description-form";
import { EffectForm } from "./effect-form";
import { ResultLimitForm } from "./result-limit-form";
import { ReturnDirectForm } from "./return-direct-form";
import { SurfaceForm } from "./surface-form";
import { TimeoutForm } from "./timeout-form";
import classes from "./tool-details.module.css";
import { ToolFormats } from "./tool-formats";
import { ToolTokens } from "./tool-tokens";
import { ToolUse } from "./tool-use";
import { TrustForm } from "./trust-form";
import type { ToolChange } from "./use-change-tool";

// Loaded on demand, because most tools are not HTTP tools.
const HttpToolRequest = dynamic(() => import("@/components/nouns/http-tools/http-tool-request").then((file) => file.HttpToolRequest), {
  ssr: false,
});

const NativeOptionsForm = dynamic(
  () => import("@/components/nouns/native-tools/native-options-form").then((file) => file.NativeOptionsForm),
  {
    ssr: false,
  },
);

const modes: Record<Tool["mode"], string> = {
  direct: "In the turn",
  background: "In the background: the result comes with a later turn",
  stateful: "In the turn, and may ask questions meanwhile",
  provider: "At the model's provider",
};

/** Details and settings of one tool. */
export function ToolDetails({ tool, onChange }: { tool: Tool; onChange: (tool: Tool, change: ToolChange) => void }) {
  const refusal = useRefusal("tools:write");
  const isOurs = tool.mode !== "provider";
  const onLocked = refusal ?? (tool.source === "builtin" ? tool.tierLockedReason : null);
  return (
    <div className={shared.story}>
      <div className={classes.controls}>
        <DisabledReason reason={onLocked}>
          <Switch
            label={tool.enabled ? "Enabled" : "Disabled"}
            aria-label={`${tool.name} is on`}
            checked={tool.enabled}
            disabled={onLocked !== null}
            onChange={(event) => onChange(tool, { enabled: event.currentTarget.checked })}
          />
        </DisabledReason>
        <TierToggle
          of={tool.name}
          tier={tool.tier}
          lockedReason={tool.tierLockedReason ?? refusal}
          onChange={(tier) => onChange(tool, { tier })}
        />
        <ToolWarnings tool={tool} />
      </div>
      {tool.tierLockedReason ? (
        <p className={classes.hint}>
          <RevealedText text={tool.tierLockedReason} />{" "}
          {tool.source === "mcp" && tool.sourceRef ? (
            <Anchor component={Link} href={`/mcp-servers?server=${tool.sourceRef}`} size="sm" underline="always">
              Open the server
            </Anchor>
          ) : null}
        </p>
      ) : null}
      {tool.availability.status !== "available" && tool.availability.reason ? (
        <p className={classes.hint}>
          <RevealedText text={tool.availability.reason} />{" "}
          {tool.quarantine && tool.sourceRef ? (
            <Anchor component={Link} href={`/mcp-servers?server=${tool.sourceRef}`} size="sm" underline="always">
              Review the change
            </Anchor>
          ) : null}
        </p>
      ) : null}
      <FindingLines findings={tool.findings} />

      {tool.source === "http" ? <HttpToolRequest tool={tool} refusal={refusal} /> : null}

      {isOurs ? <DescriptionForm tool={tool} refusal={refusal} /> : null}

      <Facts
        facts={[
          ...(isOurs ? ([["Last 30 days", <ToolUse key="use" name={tool.name} />]] as const) : []),
          ["Effect", <EffectLabel key="effect" effect={tool.effect} />],
          ["Source", <CodeText key="source">{toolSource(tool)}</CodeText>],
          ["Tokens per request", <ToolTokens key="tokens" tool={tool} />],
        ]}
      />
      {isOurs ? null : <ProviderNote />}
      {isOurs ? null : <NativeOptionsForm tool={tool.name} refusal={refusal} />}
      {isOurs ? (
        <p className={classes.rules}>
          <IconShieldCheck size={16} stroke={1.7} aria-hidden />
          <Anchor component={Link} href={`/guard?tab=try&tool=${encodeURIComponent(tool.name)}`} size="sm">
            Try a call with the guard
          </Anchor>
        </p>
      ) : null}

      {isOurs ? (
        <>
          <EffectForm tool={tool} refusal={refusal} />
          <SurfaceForm tool={tool} refusal={refusal ?? (tool.source === "builtin" ? tool.tierLockedReason : null)} />
          <TrustForm tool={tool} refusal={refusal} />
          <ReturnDirectForm tool={tool} refusal={refusal} />
          <TimeoutForm tool={tool} refusal={refusal} />
          <ResultLimitForm tool={tool} refusal={refusal} />
          <ToolSchema schema={tool.inputSchema} />
        </>
      ) : null}
      <TechnicalDetails tool={tool} />
    </div>
  );
}

/** Facts for whoever debugs a tool or writes its rules; folded, because they seldom matter to who decides about the tool. */
function TechnicalDetails({ tool }: { tool: Tool }) {
  const [isOpen, setIsOpen] = useState(false);
  const isOurs = tool.mode !== "provider";
  return (
    <details className={classes.technical} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Technical details</summary>
      {isOpen ? (
        <Facts
          facts={[
            ["Title", <RevealedText key="title" text={tool.title} />],
            ["Family", tool.family],
            ["Aliases", tool.aliases.length > 0 ? <CodeText key="aliases">{tool.aliases.join(", ")}</CodeText> : null],
            ["Runs", modes[tool.mode]],
            ...(isOurs ? factsOfCalls(tool) : []),
            ["Model providers", <ToolFormats key="formats" name={tool.name} />],
            ["Schema fingerprint", <SchemaHash key="hash" hash={tool.schemaHash} />],
            ["Last change", <RelativeTime key="changed" at={tool.updatedAt} />],
          ]}
        />
      ) : null}
    </details>
  );
}

/** Facts about a tool's calls: what they use, parallel runs, background jobs, retry after a crash, and what rules match. */
function factsOfCalls(tool: Tool) {
  return [
    ["Uses", tool.needs.length > 0 ? <CodeText key="needs">{tool.needs.join(", ")}</CodeText> : "No files, programs or network"],
    ["In parallel", tool.concurrencySafe ? "Yes" : "No, one call at a time per conversation"],
    ["In the background", backgroundWords(tool)],
    ["Retry after crash", tool.idempotent ? "Yes" : "No: the call ends as interrupted"],
    ["Rule patterns match", tool.primaryArgument ? <CodeText key="primary">{tool.primaryArgument}</CodeText> : "All arguments as JSON"],
  ] as const;
}

function backgroundWords({ mode, backgroundable }: Tool): string {
  if (backgroundable) return "Yes, with runInBackground";
  return mode === "stateful" ? "No: its questions need the turn" : "Only when a person moves the call";
}

/** Explains why a provider's tool has few settings, and the effect of enabling it. */
function ProviderNote() {
  return (
    <p className={`${classes.provider} ${shared.framed}`}>
      <IconCloudComputing size={18} stroke={1.6} aria-hidden />
      <span>
        The model's provider runs this tool. Enabled, it is offered to the model in the provider's own form. Its calls never reach Handrail:
        the guard does not check them, nobody approves them, and the audit has none of them.
      </span>
    </p>
  );
}

function SchemaHash({ hash }: { hash: string }) {
  return (
    <span className={shared.tight}>
      <CodeText dim>{hash.slice(0, 12)}</CodeText>
      <CopyButton text={hash} what="schema hash" size="xs" />
    </span>
  );
}
