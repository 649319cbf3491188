"use client";

import { Anchor, Switch } from "@mantine/core";
import { IconCloudComputing, IconShieldCheck } from "@tabler/icons-react";
import Link from "next/link";
import { useRefusal } from "@/components/shell/me";
import { CopyButton } from "@/components/ui/copy-button";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { Facts } from "@/components/ui/facts";
import { MachineText } from "@/components/ui/machine-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { RevealedText } from "@/components/ui/revealed-text";
import type { Tool } from "@/contracts/tools";
import { DescriptionForm } from "./description-form";
import { EffectLabel } from "./effect-label";
import { sourceOf } from "./filter-tools";
import { ReturnDirectForm } from "./return-direct-form";
import { SurfaceForm } from "./surface-form";
import { TierToggle } from "./tier-toggle";
import { TimeoutForm } from "./timeout-form";
import { ToolSchema } from "./tool-schema";
import classes from "./tool-story.module.css";
import { ToolTokens } from "./tool-tokens";
import { ToolWarnings } from "./tool-warnings";
import { TrustForm } from "./trust-form";
import type { ToolChange } from "./use-change-tool";

const modes: Record<Tool["mode"], string> = {
  direct: "Direct: it answers in the turn",
  background: "Background: the turn goes on, and the result comes with a later one",
  stateful: "In steps: it may ask, and waits for the answer",
  provider: "Run by the model's provider",
};

/** Everything about one tool, and everything about it that can be changed. */
export function ToolStory({ tool, onChange }: { tool: Tool; onChange: (tool: Tool, change: ToolChange) => void }) {
  const refusal = useRefusal("tools:write");
  const isOurs = tool.mode !== "provider";
  const onLocked = refusal ?? (tool.source === "builtin" ? tool.tierLockedReason : null);
  return (
    <div className={classes.story}>
      <div className={classes.controls}>
        <DisabledReason reason={onLocked}>
          <Switch
            label={tool.enabled ? "On" : "Off"}
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
          {tool.tierLockedReason}{" "}
          {tool.source === "mcp" && tool.sourceRef ? (
            <Anchor component={Link} href={`/mcp-servers?server=${tool.sourceRef}`} size="sm" underline="always">
              Open the server
            </Anchor>
          ) : null}
        </p>
      ) : null}
      {tool.availability.status !== "available" && tool.availability.reason ? (
        <p className={classes.hint}>{tool.availability.reason}</p>
      ) : null}

      <Facts
        facts={[
          ["Title", <RevealedText key="title" text={tool.title} />],
          ["Source", <MachineText key="source">{sourceOf(tool)}</MachineText>],
          ["Family", tool.family],
          ["Effect", <EffectLabel key="effect" effect={tool.effect} />],
          ["Costs a step", <ToolTokens key="tokens" tool={tool} />],
          [
            "May touch",
            !isOurs ? null : tool.needs.length > 0 ? (
              <MachineText key="needs">{tool.needs.join(", ")}</MachineText>
            ) : (
              "nothing outside itself"
            ),
          ],
          ["Also answers to", tool.aliases.length > 0 ? <MachineText key="aliases">{tool.aliases.join(", ")}</MachineText> : null],
          ["Mode", modes[tool.mode]],
          ...(isOurs ? factsOfCalls(tool) : []),
          ["Schema", <SchemaHash key="hash" hash={tool.schemaHash} />],
          ["Changed", <RelativeTime key="changed" at={tool.updatedAt} />],
        ]}
      />
      {isOurs ? null : <ProviderNote />}
      {isOurs ? (
        <p className={classes.rules}>
          <IconShieldCheck size={16} stroke={1.7} aria-hidden />
          <Anchor component={Link} href={`/guard?tab=try&tool=${encodeURIComponent(tool.name)}`} size="sm">
            What the guard says about its calls
          </Anchor>
        </p>
      ) : null}

      {isOurs ? (
        <>
          <DescriptionForm tool={tool} refusal={refusal} />
          <SurfaceForm tool={tool} refusal={refusal ?? (tool.source === "builtin" ? tool.tierLockedReason : null)} />
          <TrustForm tool={tool} refusal={refusal} />
          <ReturnDirectForm tool={tool} refusal={refusal} />
          <TimeoutForm tool={tool} refusal={refusal} />
          <ToolSchema schema={tool.inputSchema} />
        </>
      ) : null}
    </div>
  );
}

/** How a call of the tool behaves among others, in the background, after a crash, and before the guard. */
function factsOfCalls(tool: Tool) {
  return [
    ["Beside others", tool.concurrencySafe ? "Yes, with other calls that may" : "No, one at a time in a conversation"],
    ["In the background", backgroundWords(tool)],
    ["After a crash", tool.idempotent ? "A call that was cut off may run again" : "A call that was cut off is not run again"],
    [
      "Guard patterns see",
      tool.primaryArgument ? <MachineText key="primary">{tool.primaryArgument}</MachineText> : "all arguments as JSON",
    ],
  ] as const;
}

function backgroundWords({ mode, backgroundable }: Tool): string {
  if (backgroundable) return "Yes, when the model says runInBackground";
  return mode === "stateful" ? "No, it stays in its turn to be answered" : "Only when a person moves a running call";
}

/** Why a provider's tool has so little to set, and what switching it on means. */
function ProviderNote() {
  return (
    <p className={classes.provider}>
      <IconCloudComputing size={18} stroke={1.6} aria-hidden />
      <span>
        The model's provider runs this tool itself. Switched on, it is offered to the model in the provider's own form, as far as the
        provider has it; its calls never come here, so the guard does not see them, no approval is asked, and nothing of them is in the
        audit. It is off until an admin wants it.
      </span>
    </p>
  );
}

function SchemaHash({ hash }: { hash: string }) {
  return (
    <span className={classes.hash}>
      <MachineText dim>{hash.slice(0, 12)}</MachineText>
      <CopyButton text={hash} what="schema hash" size="xs" />
    </span>
  );
}
