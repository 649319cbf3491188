"use client";

import { UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useId, useState } from "react";
import shared from "@/components/kit/ui/shared.module.css";
import { orUnloaded } from "@/components/kit/ui/states/unloaded-part";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { CallCard } from "@/components/nouns/calls/call-card";
import { CallStatusBadge } from "@/components/nouns/calls/call-status-badge";
import { EditedBadge } from "@/components/nouns/calls/edited-by";
import type { ShownStep } from "@/components/nouns/turns/list-call-steps";
import { CallJob } from "@/components/pages/turn/call-job";
import { CallRunning } from "@/components/pages/turn/call-running";
import { CallSteps } from "@/components/pages/turn/call-steps";
import type { CallStatus } from "@/contracts/calls/call-statuses";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { RunMessage } from "@/contracts/runs/runs";
import type { Tool } from "@/contracts/tools/tools";
import type { Call } from "@/contracts/turns/turns";
import { type AskedCall, callSummary, parsedArguments } from "./call-summary";
import classes from "./tool-call.module.css";

// Loaded after the page, because most conversations open without a pending approval, and all calls are folded.
const InlineApproval = dynamic(
  () => import("@/components/nouns/approvals/detail/inline-approval").then((file) => file.InlineApproval).catch(orUnloaded),
  {
    ssr: false,
  },
);
const ToolCallDetails = dynamic(() => import("./tool-call-details").then((file) => file.ToolCallDetails).catch(orUnloaded), { ssr: false });
const CallApp = dynamic(() => import("@/components/nouns/mcp-apps/call-app").then((file) => file.CallApp).catch(orUnloaded), {
  ssr: false,
});
const CallFiles = dynamic(() => import("@/components/nouns/calls/call-files").then((file) => file.CallFiles).catch(orUnloaded), {
  ssr: false,
});

type ToolCallProps = {
  asked: AskedCall;
  /** The result that the model got. */
  result: RunMessage | undefined;
  turnId: string | null;
  /** The call in its turn; undefined until the turn is known. */
  call: Call | undefined;
  tool: Tool | undefined;
  /** Progress of the work, in the tool's words. */
  progress: string | null;
  steps: readonly ShownStep[];
  /** The run has not ended, so a call without a result is at work. */
  isLive: boolean;
};

/** One call as a folded line; what a person has to see or answer stands below it, unfolded. */
export function ToolCall({ asked, result, turnId, call, tool, progress, steps, isLive }: ToolCallProps) {
  const [open, setOpen] = useState(false);
  const detailsId = useId();
  // The arguments that run; the model's own text stands in until the turn is known.
  const args = call && isJsonObject(call.arguments) ? call.arguments : parsedArguments(asked.arguments);
  const status = call?.status ?? statusOf(result, isLive);
  const Chevron = open ? IconChevronDown : IconChevronRight;
  const summary = callSummary(args, tool?.primaryArgument ?? null);
  const isAsking = status === "awaiting_approval" && call?.approvalId;
  const isAsked = steps.some((step) => step.kind === "question" && !step.answer);
  return (
    <article className={shared.stack} data-status={status} aria-label={`Call of ${asked.name}`}>
      <UnstyledButton className={classes.line} aria-expanded={open} aria-controls={detailsId} onClick={() => setOpen(!open)}>
        <Chevron size={14} aria-hidden className={shared.dimIcon} />
        <span className={`${classes.name} ${shared.oneLine}`}>
          <RevealedText text={call?.name ?? asked.name} />
        </span>
        <span className={`${classes.summary} ${shared.oneLine}`}>
          <RevealedText text={summary} />
        </span>
        <EditedBadge by={call?.editedBy} />
        <span className={classes.end}>
          {call?.durationMs !== null && call?.durationMs !== undefined && call.startedAt ? (
            <span className={`${classes.time} ${shared.dim}`} data-numeric>
              {durationText(call.durationMs)}
            </span>
          ) : null}
          <CallStatusBadge status={status} plain />
        </span>
      </UnstyledButton>
      <div id={detailsId} className={`${classes.details} ${shared.nested}`} hidden={!open}>
        {open ? <ToolCallDetails asked={asked} result={result} turnId={turnId} call={call} tool={tool} /> : null}
      </div>
      {call && turnId && status === "running" && progress && !isAsked ? (
        <CallRunning
          turnId={turnId}
          call={call}
          progress={progress}
          staysBecause={
            tool?.mode === "stateful"
              ? "A tool with steps stays in its turn because nobody could answer its questions in the background."
              : null
          }
        />
      ) : null}
      {call && turnId && steps.length > 0 ? (
        <CallSteps turnId={turnId} callId={call.callId} steps={steps} isRunning={status === "running"} />
      ) : null}
      {isAsking ? <InlineApproval id={isAsking} /> : null}
      {call ? <CallCard call={call} /> : null}
      {call && turnId && tool?.appUri && status === "succeeded" ? <CallApp turnId={turnId} callId={call.callId} /> : null}
      {call && hasImages(call) ? <CallFiles call={{ ...call, truncated: null }} /> : null}
      {call?.jobId && status === "succeeded" ? <CallJob jobId={call.jobId} /> : null}
      {call?.directContent !== undefined ? (
        <p className={shared.typed}>
          <RevealedText text={call.directContent} />
        </p>
      ) : null}
    </article>
  );
}

function statusOf(result: RunMessage | undefined, isLive: boolean): CallStatus {
  if (result) return result.isError ? "failed" : "succeeded";
  return isLive ? "running" : "cancelled";
}

const hasImages = ({ contentParts = [] }: Call) => contentParts.some(({ type }) => type === "artifact");
