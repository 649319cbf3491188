import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import shared from "@/components/kit/ui/shared.module.css";
import { Busy } from "@/components/kit/ui/states/busy";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { ModelTest } from "@/contracts/models/models";
import classes from "./models.module.css";

type TestResultProps = {
  /** The model that is tested. */
  model: string | null;
  test: { data: ModelTest | undefined; error: unknown; isPending: boolean };
};

/** Outcome of a test: time to the first word and the words, or the reason why there is no answer. */
export function TestResult({ model, test: { data, error, isPending } }: TestResultProps) {
  if (isPending)
    return (
      <p className={`${shared.bar} ${shared.flush}`}>
        <Busy what="Test is running" size={14} /> Asking <CodeText>{model}</CodeText>…
      </p>
    );
  const reason = error ? toErrorSentence(error) : (data?.error ?? null);
  if (reason !== null)
    return (
      <div className={`${classes.testResult} ${shared.stackClose}`} role="alert">
        <StatusBadge tone="deny">No answer</StatusBadge>
        <p className={classes.reason}>
          <RevealedText text={reason} />
        </p>
      </div>
    );
  if (!data) return null;
  return (
    <div className={`${classes.testResult} ${shared.stackClose}`} role="status">
      <p className={`${shared.bar} ${shared.flush}`}>
        <StatusBadge tone="allow">Answered</StatusBadge>
        <span data-numeric>
          {data.firstWordMs === null ? "" : `first word after ${toSeconds(data.firstWordMs)}, `}
          done after {toSeconds(data.durationMs)}, {data.inputTokens} tokens in, {data.outputTokens} out
        </span>
      </p>
      <CodeBlock label="Model's words" text={data.text || "(none)"} maxLines={3} />
    </div>
  );
}

const toSeconds = (ms: number) => `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 0)} s`;
