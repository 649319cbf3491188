"use client";

import { Anchor, Button } from "@mantine/core";
import { IconChevronDown, IconChevronRight, IconDownload, IconHandStop } from "@tabler/icons-react";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { addressOf } from "@/components/api/address-of";
import { DecisionStory } from "@/components/guard/decision-story";
import { FoldableBlock } from "@/components/ui/foldable-block";
import { MachineText } from "@/components/ui/machine-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { RevealedText } from "@/components/ui/revealed-text";
import { ShortId } from "@/components/ui/short-id";
import { VerdictBadge } from "@/components/ui/verdict-badge";
import { artifactEndpoints } from "@/contracts/artifacts";
import type { Json, JsonObject } from "@/contracts/common";
import type { Call } from "@/contracts/turns";
import { CallArguments } from "./call-arguments";
import { CallStatusBadge } from "./call-status-badge";
import classes from "./call-step.module.css";
import { durationText } from "./duration-text";
import { inBytes } from "./in-bytes";

type CallStepProps = {
  call: Call;
  /** The argument that the call is about; shown first. */
  primaryArgument: string | null;
  /** How far the work is, in the tool's words. */
  progress: string | null;
};

/** One call of a turn: what was asked, what the guard said, what came of it. */
export function CallStep({ call, primaryArgument, progress }: CallStepProps) {
  return (
    <li className={classes.step} data-status={call.status}>
      <header className={classes.header}>
        <h2 className={classes.name}>
          <MachineText>
            <RevealedText text={call.name} />
          </MachineText>
        </h2>
        <CallStatusBadge status={call.status} />
        {call.requestedName !== call.name ? (
          <span className={classes.dim}>
            asked for as{" "}
            <MachineText>
              <RevealedText text={call.requestedName} />
            </MachineText>
          </span>
        ) : null}
        <span className={classes.when}>
          {call.durationMs !== null ? durationText(call.durationMs) : null}
          {call.startedAt ? <RelativeTime at={call.startedAt} /> : null}
          <ShortId id={call.callId} what="call id" />
        </span>
      </header>
      {call.status === "running" && progress ? (
        <p className={classes.progress} role="status">
          <RevealedText text={progress} />
        </p>
      ) : null}
      <Arguments args={call.arguments} primaryArgument={primaryArgument} />
      {call.decision ? <GuardLine decision={call.decision} /> : null}
      {call.approvalId ? (
        <Anchor component={Link} href={`/approvals?approval=${call.approvalId}`} size="sm" className={classes.approval}>
          <IconHandStop size={15} aria-hidden />
          {call.status === "awaiting_approval" ? "Answer the approval" : "See the approval"}
        </Anchor>
      ) : null}
      {call.content ? (
        <FoldableBlock label={call.isError ? "What the model reads (an error)" : "What the model reads"} text={call.content} />
      ) : null}
      <Files call={call} />
    </li>
  );
}

function Arguments({ args, primaryArgument }: { args: Json; primaryArgument: string | null }) {
  if (isObject(args)) return <CallArguments args={args} primaryArgument={primaryArgument} />;
  // Arguments that could not be parsed stand as the model wrote them.
  return <FoldableBlock label="Arguments as the model wrote them" text={typeof args === "string" ? args : JSON.stringify(args)} />;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function GuardLine({ decision }: { decision: NonNullable<Call["decision"]> }) {
  const [open, setOpen] = useState(false);
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <div className={classes.guard}>
        <VerdictBadge verdict={decision.verdict} plain />
        <span className={classes.dim}>
          <RevealedText text={decision.reason} />
        </span>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          leftSection={<Chevron size={14} aria-hidden />}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          Why
        </Button>
      </div>
      {open ? (
        <div className={classes.story}>
          <DecisionStory decision={decision} />
        </div>
      ) : null}
    </div>
  );
}

/** What did not fit into the result, and what was never text. */
function Files({ call }: { call: Call }) {
  const parts = (call.contentParts ?? []).filter((part) => part.type === "artifact");
  if (!call.truncated && parts.length === 0) return null;
  return (
    <ul className={classes.files}>
      {call.truncated ? (
        <li>
          <ArtifactLink id={call.truncated.artifactId}>
            The whole result, {call.truncated.originalChars.toLocaleString("en")} characters
          </ArtifactLink>
        </li>
      ) : null}
      {parts.map(({ artifactId, mediaType, bytes }) => (
        <li key={artifactId}>
          <ArtifactLink id={artifactId}>
            {mediaType}, {inBytes(bytes)}
          </ArtifactLink>
        </li>
      ))}
    </ul>
  );
}

function ArtifactLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Anchor href={addressOf(artifactEndpoints.get, { params: { id } })} download size="sm" className={classes.approval}>
      <IconDownload size={15} aria-hidden />
      {children}
    </Anchor>
  );
}
