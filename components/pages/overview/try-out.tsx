"use client";

import { IconPlayerPlay } from "@tabler/icons-react";
import Link from "next/link";
import type { ComponentProps } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { DecideButtons } from "@/components/nouns/approvals/answer/decide-buttons";
import { CallStatusBadge } from "@/components/nouns/calls/call-status-badge";
import type { Call, Turn } from "@/contracts/turns/turns";
import { firstCallSteps } from "./first-call";
import classes from "./try-out.module.css";
import { findPendingApproval, useFirstCall } from "./use-first-call";

/** A real turn with its approval and result, to show how an agent's call looks to a person. */
export function TryOut() {
  const { submit, decide, turn } = useFirstCall();
  const error = decide.error ?? submit.error;
  const mayNotSubmit = useRefusal("turns:write");
  return (
    <div className={classes.tryOut}>
      {turn ? (
        <ol className={classes.calls} aria-label="Calls of the turn">
          {turn.calls.map((made, place) => (
            <li key={made.callId} className={classes.call}>
              <div className={classes.line}>
                <CodeText>{made.name}</CodeText>
                <span className={`${classes.why} ${shared.dim}`}>{firstCallSteps[place]}</span>
                <CallStatusBadge status={made.status} plain />
              </div>
              {made.status === "awaiting_approval" && made.approvalId !== null ? (
                <Question
                  call={made}
                  approvalId={made.approvalId}
                  sending={decide.isPending ? decide.variables.decision : null}
                  isDecided={false}
                  onDecide={(decision) => decide.mutate({ turn, decision })}
                />
              ) : null}
              {made.finishedAt ? <CodeBlock label="Result sent to the model" text={made.content} maxLines={4} /> : null}
            </li>
          ))}
        </ol>
      ) : null}
      {error ? (
        <p className={shared.errorText} role="alert">
          {toErrorSentence(error)}
        </p>
      ) : null}
      {turn?.finishedAt ? (
        <p className={`${classes.done} ${shared.paragraph}`} role="status">
          {endOf(turn)} <Link href={`/turns/${turn.id}`}>See the turn</Link>
        </p>
      ) : null}
      {turn && (findPendingApproval(turn) || !turn.finishedAt) ? null : (
        <RefusableButton
          refusal={mayNotSubmit}
          variant={turn ? "default" : "filled"}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={submit.isPending}
          onClick={() => {
            decide.reset();
            submit.mutate();
          }}
        >
          {turn ? "Make another call" : "Make a call"}
        </RefusableButton>
      )}
    </div>
  );
}

type QuestionProps = { call: Call } & ComponentProps<typeof DecideButtons>;

function Question({ call, ...deciding }: QuestionProps) {
  return (
    <div className={shared.stack}>
      <CodeBlock label="Arguments" text={JSON.stringify(call.arguments, null, 2)} maxLines={6} />
      <p className={shared.note}>{call.decision?.findings[0]?.explanation || <RevealedText text={call.decision?.reason} />}</p>
      <DecideButtons {...deciding} />
    </div>
  );
}

/** Describes how the turn ended, and why when no approval was required. */
function endOf({ calls }: Turn): string {
  const asked = calls.find(({ approvalId }) => approvalId !== null);
  if (asked?.status === "succeeded") return "Approved. The turn resumed.";
  if (asked) return "Not approved. The model was told, and the turn resumed.";
  const denied = calls.find(({ status }) => status === "denied");
  return denied
    ? `The guard denied a call: ${denied.decision?.reason ?? denied.content}`
    : "No call needed approval because the guard allows these calls. Change this under Guard.";
}
