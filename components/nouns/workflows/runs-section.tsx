"use client";

import { Anchor } from "@mantine/core";
import { IconPlayerPlay, IconRoute } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { AnswerText } from "@/components/kit/markdown/answer-text";
import { useResource } from "@/components/kit/resources/use-resource";
import { useRefusal } from "@/components/kit/session/me";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { PagedList } from "@/components/kit/ui/lists/paged-list";
import { PageSection } from "@/components/kit/ui/page/page-section";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { type WorkflowRun, workflowEndpoints } from "@/contracts/browser/automation/workflows";
import { workflowQueries, workflowResource } from "./queries";
import classes from "./workflows.module.css";

const noRuns = (
  <EmptyState icon={IconRoute} title="This workflow has not run">
    Start it here, by API or with start_workflow.
  </EmptyState>
);

/** The form that starts a workflow, and its runs with their steps. */
export function RunsSection({ workflowId }: { workflowId: string }) {
  const runs = useInfiniteQuery(workflowQueries.runs(workflowId));
  const refusal = useRefusal("turns:write");
  const { refresh } = useResource(workflowResource);
  const start = useMutation({
    meta: { showsError: true },
    mutationFn: (text: string) => call(workflowEndpoints.start, { params: { id: workflowId }, body: { input: text } }),
    onSettled: refresh,
  });
  const [input, setInput] = useState("");
  return (
    <PageSection heading="Runs">
      <form
        className={`${shared.fieldBar} ${shared.above}`}
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate(input.trim(), { onSuccess: () => setInput("") });
        }}
      >
        <AutosizeTextarea
          className={shared.field}
          aria-label="Input of the workflow"
          placeholder="Input, for {input} in the prompts"
          rows={[1, 8]}
          maxLength={50_000}
          value={input}
          disabled={refusal !== null}
          error={start.error ? toErrorSentence(start.error) : null}
          onChange={(event) => setInput(event.currentTarget.value)}
        />
        <RefusableButton refusal={refusal} type="submit" leftSection={<IconPlayerPlay size={16} aria-hidden />} loading={start.isPending}>
          Start
        </RefusableButton>
      </form>
      <PagedList query={runs} items="runs" skeletons={{ rows: 3, height: 4 }} empty={noRuns}>
        {(items) => (
          <ul className={`${shared.stack} ${shared.plainList}`} aria-label="Runs">
            {items.map((run) => (
              <Run key={run.id} run={run} refusal={refusal} />
            ))}
          </ul>
        )}
      </PagedList>
    </PageSection>
  );
}

function Run({ run, refusal }: { run: WorkflowRun; refusal: string | null }) {
  const { refresh } = useResource(workflowResource);
  const cancel = useMutation({
    mutationFn: () => call(workflowEndpoints.cancel, { params: { id: run.id } }),
    onSettled: refresh,
  });
  const { status, input, steps, answer, error, requestedBy, createdAt } = run;
  const hasRounds = steps.some(({ round }) => round > 1);
  return (
    <li className={`${classes.run} ${shared.surface}`}>
      <div className={shared.spread}>
        <RunStatus status={status} />
        <span className={shared.small}>
          started <RelativeTime at={createdAt} /> by <RevealedText text={requestedBy.name} />
        </span>
        {status === "running" ? (
          <RefusableButton refusal={refusal} variant="default" size="compact-sm" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </RefusableButton>
        ) : null}
      </div>
      {input ? <p className={classes.text}>{input}</p> : null}
      <ol className={classes.steps} aria-label="Steps">
        {steps.map((step) => (
          <li key={step.id}>
            {hasRounds ? `Round ${step.round}, ` : ""}
            <RevealedText text={step.name} />: <RevealedText text={step.error ?? statusWords[step.status].toLowerCase()} />{" "}
            {step.conversationId ? (
              <Anchor component={Link} href={`/turns?conversation=${step.conversationId}`} size="sm" underline="always">
                Turns
              </Anchor>
            ) : null}
          </li>
        ))}
      </ol>
      {answer ? (
        <div className={classes.answer}>
          <AnswerText text={answer} />
        </div>
      ) : null}
      {error ? (
        <p className={classes.text} role="status">
          <RevealedText text={error} />
        </p>
      ) : null}
    </li>
  );
}

const statusWords = { running: "Running", succeeded: "Succeeded", failed: "Failed", cancelled: "Cancelled" } as const;
const tones = { running: "running", succeeded: "allow", failed: "deny", cancelled: "unavailable" } as const;

function RunStatus({ status }: Pick<WorkflowRun, "status">) {
  return (
    <StatusBadge tone={tones[status]} plain>
      {statusWords[status]}
    </StatusBadge>
  );
}
