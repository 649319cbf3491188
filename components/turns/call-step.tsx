"use client";

import { Anchor, Button } from "@mantine/core";
import { IconChevronDown, IconChevronRight, IconHandStop } from "@tabler/icons-react";
import Link from "next/link";
import { useId, useState } from "react";
import { DecisionStory } from "@/components/guard/decision-story";
import { CallHooks } from "@/components/hooks/call-hooks";
import { SentArguments } from "@/components/hooks/sent-arguments";
import { FoldableBlock } from "@/components/ui/foldable-block";
import { MachineText } from "@/components/ui/machine-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { RevealedText } from "@/components/ui/revealed-text";
import { ShortId } from "@/components/ui/short-id";
import { VerdictBadge } from "@/components/ui/verdict-badge";
import type { Json, JsonObject } from "@/contracts/common";
import type { Tool } from "@/contracts/tools";
import type { Call } from "@/contracts/turns";
import { CallArguments } from "./call-arguments";
import { CallFiles } from "./call-files";
import { CallJob } from "./call-job";
import { CallRunning } from "./call-running";
import { CallStatusBadge } from "./call-status-badge";
import classes from "./call-step.module.css";
import { CallSteps } from "./call-steps";
import { durationText } from "./duration-text";
import type { ShownStep } from "./steps-of-call";

type CallStepProps = {
  turnId: string;
  call: Call;
  /** The tool as it is now; none when it is gone. */
  tool: Tool | undefined;
  /** How far the work is, in the tool's words. */
  progress: string | null;
  /** What a tool that works in steps said and asked. */
  steps: readonly ShownStep[];
};

/** One call of a turn: what was asked, what the guard said, how far it is, what came of it. */
export function CallStep({ turnId, call, tool, progress, steps }: CallStepProps) {
  const titleId = useId();
  const isRunning = call.status === "running";
  const worksInSteps = tool?.mode === "stateful" || steps.length > 0;
  return (
    <article className={classes.step} data-status={call.status} aria-labelledby={titleId}>
      <header className={classes.header}>
        <h3 className={classes.name} id={titleId}>
          <MachineText>
            <RevealedText text={call.name} />
          </MachineText>
        </h3>
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
          {call.durationMs !== null && call.startedAt ? <span data-numeric>{durationText(call.durationMs)}</span> : null}
          {call.startedAt ? <RelativeTime at={call.startedAt} /> : null}
          <ShortId id={call.callId} what="call id" />
        </span>
      </header>
      {isRunning ? (
        <CallRunning
          turnId={turnId}
          call={call}
          progress={progress ?? (steps.some((step) => step.kind === "question" && !step.answer) ? "It waits for an answer." : null)}
          staysBecause={worksInSteps ? "A tool that works in steps stays in its turn: in the background nobody could answer it." : null}
        />
      ) : null}
      <Arguments args={call.arguments} primaryArgument={tool?.primaryArgument ?? null} />
      {call.sentArguments && isObject(call.arguments) ? (
        <SentArguments sent={call.sentArguments} runs={call.arguments} hooks={call.hooks ?? []} />
      ) : null}
      {call.hooks && call.hooks.length > 0 ? <CallHooks steps={call.hooks} /> : null}
      {call.decision ? <GuardLine decision={call.decision} /> : null}
      {call.approvalId && call.status !== "awaiting_approval" ? (
        <Anchor component={Link} href={`/approvals?approval=${call.approvalId}`} size="sm" className={classes.approval}>
          <IconHandStop size={15} aria-hidden />
          See the approval
        </Anchor>
      ) : null}
      {steps.length > 0 ? <CallSteps turnId={turnId} callId={call.callId} steps={steps} isRunning={isRunning} /> : null}
      {call.jobId && call.status === "succeeded" ? <CallJob jobId={call.jobId} /> : null}
      {call.directContent !== undefined ? (
        <div className={classes.direct}>
          <FoldableBlock label="Shown to the user directly" text={call.directContent} />
        </div>
      ) : null}
      {call.content ? (
        <FoldableBlock label={call.isError ? "What the model reads (an error)" : "What the model reads"} text={call.content} />
      ) : null}
      <CallFiles call={call} />
    </article>
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
