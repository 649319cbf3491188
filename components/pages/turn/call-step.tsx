"use client";

import { Anchor } from "@mantine/core";
import { IconHandStop } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useId, useState } from "react";
import { VerdictBadge } from "@/components/kit/ui/badges/verdict-badge";
import shared from "@/components/kit/ui/shared.module.css";
import { orUnloaded } from "@/components/kit/ui/states/unloaded-part";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { FoldableBlock } from "@/components/kit/ui/text/foldable-block";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { ShortId } from "@/components/kit/ui/text/short-id";
import { WhyButton } from "@/components/kit/ui/why-button";
import { CallArguments } from "@/components/nouns/calls/call-arguments";
import { CallFiles } from "@/components/nouns/calls/call-files";
import { CallResults } from "@/components/nouns/calls/call-results";
import { CallStatusBadge } from "@/components/nouns/calls/call-status-badge";
import { AskedArguments, EditedBadge } from "@/components/nouns/calls/edited-by";
import { MakeRule } from "@/components/nouns/guard/make-rule";
import { DecisionTrace } from "@/components/nouns/guard/try/decision-trace";
import { CallHooks } from "@/components/nouns/hooks/call-hooks";
import { SentArguments } from "@/components/nouns/hooks/sent-arguments";
import type { ShownStep } from "@/components/nouns/turns/list-call-steps";
import type { Json, JsonObject } from "@/contracts/common";
import type { Effect } from "@/contracts/decisions/effects";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { Tool } from "@/contracts/tools/tools";
import type { Call } from "@/contracts/turns/turns";
import { CallJob } from "./call-job";
import { CallRunning } from "./call-running";
import classes from "./call-step.module.css";
import { CallSteps } from "./call-steps";

// Loaded after the page, because few tools have an app.
const CallApp = dynamic(() => import("@/components/nouns/mcp-apps/call-app").then((file) => file.CallApp).catch(orUnloaded), {
  ssr: false,
});

type CallStepProps = {
  turnId: string;
  call: Call;
  /** The tool as registered now; undefined when it was removed. */
  tool: Tool | undefined;
  /** Progress of the work, in the tool's words. */
  progress: string | null;
  /** Messages and questions of a stateful tool. */
  steps: readonly ShownStep[];
};

/** One call of a turn: arguments, decision, progress and result. */
export function CallStep({ turnId, call, tool, progress, steps }: CallStepProps) {
  const titleId = useId();
  const isRunning = call.status === "running";
  const worksInSteps = tool?.mode === "stateful" || steps.length > 0;
  return (
    <article className={`${classes.step} ${shared.surface}`} data-status={call.status} aria-labelledby={titleId}>
      <header className={shared.inline}>
        <h3 className={shared.title} id={titleId}>
          <CodeText>
            <RevealedText text={call.name} />
          </CodeText>
        </h3>
        <CallStatusBadge status={call.status} />
        <EditedBadge by={call.editedBy} />
        {call.requestedName !== call.name ? (
          <span className={shared.dim}>
            called as{" "}
            <CodeText>
              <RevealedText text={call.requestedName} />
            </CodeText>
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
          progress={progress ?? (steps.some((step) => step.kind === "question" && !step.answer) ? "Waiting for an answer." : null)}
          staysBecause={
            worksInSteps ? "A tool with steps stays in its turn because nobody could answer its questions in the background." : null
          }
        />
      ) : null}
      <Arguments
        args={call.arguments}
        primaryArgument={tool?.primaryArgument ?? null}
        schema={tool?.inputSchema}
        effects={call.decision?.effects}
      />
      <AskedArguments asked={call.askedArguments} runs={call.arguments} by={call.editedBy} />
      {call.sentArguments && isJsonObject(call.arguments) ? (
        <SentArguments sent={call.sentArguments} runs={call.arguments} hooks={call.hooks ?? []} />
      ) : null}
      {call.hooks && call.hooks.length > 0 ? <CallHooks steps={call.hooks} /> : null}
      {call.decision ? <GuardLine decision={call.decision} callId={call.callId} /> : null}
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
      <CallResults call={call} />
      {tool?.appUri && call.status === "succeeded" ? <CallApp turnId={turnId} callId={call.callId} /> : null}
      <CallFiles call={call} />
    </article>
  );
}

type ArgumentsProps = {
  args: Json;
  primaryArgument: string | null;
  schema: JsonObject | undefined;
  effects: readonly Effect[] | undefined;
};

function Arguments({ args, primaryArgument, schema, effects }: ArgumentsProps) {
  if (isJsonObject(args)) return <CallArguments args={args} primaryArgument={primaryArgument} schema={schema} effects={effects} />;
  // Arguments that could not be parsed are shown as raw text.
  return <FoldableBlock label="Arguments as the model wrote them" text={typeof args === "string" ? args : JSON.stringify(args)} />;
}

function GuardLine({ decision, callId }: { decision: NonNullable<Call["decision"]>; callId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <div>
      <div className={classes.guard}>
        <VerdictBadge verdict={decision.verdict} plain />
        <span className={shared.dim}>
          <RevealedText text={decision.reason} />
        </span>
        <WhyButton open={open} onToggle={() => setOpen(!open)} />
        <MakeRule callId={callId} />
      </div>
      {open ? (
        <div className={classes.story}>
          <DecisionTrace decision={decision} />
        </div>
      ) : null}
    </div>
  );
}
