"use client";

import { Button, Checkbox } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Tone } from "@/components/kit/ui/tone";
import { DiffView } from "@/components/nouns/call-views/lazy-views";
import { knowledgeTransformationEndpoints } from "@/contracts/browser/knowledge/knowledge-transformations";
import type { TransformationRun } from "@/contracts/knowledge/knowledge-transformations";
import classes from "./knowledge.module.css";
import { knowledgeQueries } from "./queries";

const states: Record<TransformationRun["state"], { word: string; tone: Tone }> = {
  queued: { word: "Queued", tone: "unavailable" },
  running: { word: "Running", tone: "running" },
  completed: { word: "Completed", tone: "allow" },
  failed: { word: "Failed", tone: "deny" },
  cancelled: { word: "Cancelled", tone: "unavailable" },
};
const isOpen = ({ state }: TransformationRun): boolean => state === "queued" || state === "running";

/** Runs of a transformation, newest first; two that are chosen are compared. */
export function TransformationRuns(props: { baseId: string; transformationId: string; mayChange: boolean }) {
  const { baseId, transformationId, mayChange } = props;
  const runs = useQuery(knowledgeQueries.transformationRuns(baseId, transformationId));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const choose = (id: string, isChosen: boolean) =>
    setChosen((before) => (isChosen ? [...before.slice(-1), id] : before.filter((one) => one !== id)));
  return (
    <section aria-labelledby="runs-heading" className={shared.apart}>
      <h3 className={shared.subtitle} id="runs-heading">
        Runs
      </h3>
      <Loaded query={runs} what="the runs" rows={3} height={3}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={shared.note}>It has not run yet.</p>
          ) : (
            <>
              <p className={shared.note}>Choose two runs to compare their outputs and prompts.</p>
              <Comparison runs={items.filter(({ id }) => chosen.includes(id))} />
              <ul className={rows.rows} aria-label="Runs">
                {items.map((run) => (
                  <Run key={run.id} {...{ baseId, run, mayChange }} isChosen={chosen.includes(run.id)} onChoose={choose} />
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </section>
  );
}

type RunProps = {
  baseId: string;
  run: TransformationRun;
  mayChange: boolean;
  isChosen: boolean;
  onChoose: (id: string, isChosen: boolean) => void;
};

function Run({ baseId, run, mayChange, isChosen, onChoose }: RunProps) {
  const client = useQueryClient();
  const { id, subject, state, output, error, createdAt, startedBy } = run;
  const cancel = useMutation({
    meta: { showsError: true },
    mutationFn: () => call(knowledgeTransformationEndpoints.cancelRun, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: knowledgeQueries.of(baseId) }),
  });
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={shared.shrinks}>
        <Checkbox
          label={<RevealedText text={subject || "A source or page that was removed"} />}
          checked={isChosen}
          disabled={output === null}
          onChange={(event) => onChoose(id, event.currentTarget.checked)}
        />
        <span className={shared.small}>
          <RelativeTime at={createdAt} />, <RevealedText text={startedBy.name} />
        </span>
        {error === null ? null : (
          <p className={shared.errorText}>
            <RevealedText text={error} />
          </p>
        )}
        {output === null ? null : (
          <pre className={`${classes.text} ${shared.surface}`}>
            <RevealedText text={output} />
          </pre>
        )}
      </div>
      <div className={classes.aside}>
        <StatusBadge tone={states[state].tone}>{states[state].word}</StatusBadge>
        {mayChange && isOpen(run) ? (
          <Button size="compact-sm" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel run
          </Button>
        ) : null}
      </div>
    </li>
  );
}

/** The changes from the earlier of two runs to the later one. */
function Comparison({ runs }: { runs: readonly TransformationRun[] }) {
  const [later, earlier] = runs;
  if (!later || !earlier) return null;
  return (
    <section aria-label="Comparison">
      <DiffView label="Output" before={earlier.output ?? ""} after={later.output ?? ""} />
      {earlier.prompt === later.prompt ? (
        <p className={shared.note}>Both runs used the same prompt.</p>
      ) : (
        <DiffView label="Prompt" before={earlier.prompt} after={later.prompt} />
      )}
    </section>
  );
}
