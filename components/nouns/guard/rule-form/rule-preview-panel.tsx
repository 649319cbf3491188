"use client";

import { SegmentedControl } from "@mantine/core";
import { IconArrowRight } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { VerdictBadge } from "@/components/kit/ui/badges/verdict-badge";
import shared from "@/components/kit/ui/shared.module.css";
import { Busy } from "@/components/kit/ui/states/busy";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { MarkedSentence } from "@/components/kit/ui/text/marked-sentence";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { RulePreview } from "@/contracts/guard/guard";
import { flippedCalls, type SimulationSum } from "../policy/simulation-sum";
import { FlippedCalls, SimulationSummary } from "../policy/simulation-summary";
import { findMatches } from "./find-matches";
import classes from "./rule-preview-panel.module.css";
import { summarizePreview } from "./summarize-preview";
import { usePattern } from "./use-pattern";
import type { Previewing } from "./use-rule-preview";

type Shown = "all" | "matched" | "changed";
type PreviewedCall = RulePreview["calls"][number];

const toolsNamed = 4;

type RulePreviewPanelProps = {
  previewing: Previewing;
  pattern: string;
  /** Simulation of the rule on all recorded calls; undefined until known. */
  simulation: SimulationSum | undefined;
};

/** Preview of a rule: the covered tools, the text that the pattern was matched against, and every verdict that would change. */
export function RulePreviewPanel({ previewing, pattern, simulation }: RulePreviewPanelProps) {
  const { preview, isCurrent, isIdle, error } = previewing;
  return (
    <section className={shared.stack} aria-label="Preview">
      <div className={shared.bar}>
        <h3 className={shared.subtitle}>Preview</h3>
        {!isCurrent && !isIdle && !error ? <Busy what="Trying the rule" size={14} /> : null}
      </div>
      {isIdle ? (
        <p className={shared.note}>Choose a tool to preview the rule on recorded calls. Nothing is saved.</p>
      ) : error && !preview ? (
        <p className={shared.errorText} role="alert">
          {toErrorSentence(error)}
        </p>
      ) : preview ? (
        <Preview preview={preview} pattern={pattern} simulation={simulation} />
      ) : (
        <RowSkeletons rows={5} height={3.25} what="the preview" />
      )}
    </section>
  );
}

function Preview({ preview, pattern, simulation }: Pick<RulePreviewPanelProps, "pattern" | "simulation"> & { preview: RulePreview }) {
  const [shown, setShown] = useState<Shown>("all");
  const sum = summarizePreview(preview);
  const changed = simulation ? flippedCalls(simulation) : sum.changed;
  const calls = preview.calls.filter((call) => {
    if (shown === "matched") return call.result === "matched";
    return shown === "all" || call.before !== call.after;
  });
  return (
    <>
      <p className={shared.paragraph}>{preview.tools.length === 0 ? "No tool matches." : <Covers tools={preview.tools} />}</p>
      {simulation ? <SimulationSummary sum={simulation} /> : null}
      {preview.patternError ? <p className={shared.note}>Invalid pattern: the rule matches nothing.</p> : null}
      {preview.examined === 0 ? (
        <p className={shared.note}>{preview.tools.length === 0 ? "" : "No calls of these tools yet."}</p>
      ) : (
        <>
          {simulation ? null : (
            <p className={`${classes.sum} ${shared.paragraph}`} aria-live="polite" data-changes={sum.changed > 0 || undefined}>
              <RevealedText text={sum.sentence} />
            </p>
          )}
          <SegmentedControl
            className={shared.atStart}
            size="xs"
            aria-label="Calls shown"
            value={shown}
            onChange={(value) => setShown(value === "matched" || value === "changed" ? value : "all")}
            data={[
              { value: "all", label: `Last ${preview.examined}` },
              { value: "matched", label: `Matched ${preview.matched}` },
              { value: "changed", label: `Would change ${changed.toLocaleString("en")}` },
            ]}
          />
          {shown === "changed" && simulation && changed > 0 ? (
            <FlippedCalls sum={simulation} />
          ) : calls.length === 0 ? (
            <p className={shared.note}>None of the last {preview.examined} calls.</p>
          ) : (
            <ul className={classes.calls}>
              {calls.map((call) => (
                <CallLine key={call.callId} call={call} pattern={pattern} namesTool={preview.tools.length > 1} />
              ))}
            </ul>
          )}
        </>
      )}
    </>
  );
}

function Covers({ tools }: { tools: readonly string[] }): ReactNode {
  const named = tools.slice(0, toolsNamed);
  const more = tools.length - named.length;
  return (
    <>
      Covers{" "}
      {named.map((tool, place) => (
        <span key={tool}>
          {place > 0 ? ", " : ""}
          <CodeText>{tool}</CodeText>
        </span>
      ))}
      {more > 0 ? ` and ${more} more` : ""}
    </>
  );
}

function CallLine({ call, pattern, namesTool }: { call: PreviewedCall; pattern: string; namesTool: boolean }) {
  const flips = call.before !== call.after;
  return (
    <li className={classes.call} data-flips={flips || undefined} data-result={call.result}>
      <div className={`${classes.seen} ${shared.mono}`}>
        <Seen text={call.seen} pattern={call.result === "matched" ? pattern : ""} />
      </div>
      <div className={classes.outcome}>
        <span className={classes.verdicts}>
          <VerdictBadge verdict={call.before} plain />
          {flips ? (
            <>
              <IconArrowRight size={14} aria-label="becomes" role="img" />
              <VerdictBadge verdict={call.after} />
            </>
          ) : null}
        </span>
        <span className={`${shared.fluid} ${shared.small}`}>
          {namesTool ? (
            <>
              <CodeText>{call.tool}</CodeText> ·{" "}
            </>
          ) : null}
          <MarkedSentence text={call.why} /> <RelativeTime at={call.at} />
        </span>
      </div>
    </li>
  );
}

/** The text that the pattern was matched against, with the matches marked. */
function Seen({ text, pattern }: { text: string; pattern: string }) {
  const compiled = usePattern(pattern === "" ? null : pattern);
  if (text === "") return <span className={shared.note}>(empty)</span>;
  if (!compiled) return <RevealedText text={text} />;
  return findMatches(compiled, text).map((piece, place) => {
    const key = place; // Pieces have no id, so their position is the key.
    return piece.matched ? (
      <mark key={key} className={classes.match}>
        <RevealedText text={piece.text} />
      </mark>
    ) : (
      <RevealedText key={key} text={piece.text} />
    );
  });
}
