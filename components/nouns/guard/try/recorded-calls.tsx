"use client";

import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { argumentLine } from "@/components/nouns/calls/argument-line";
import { callQueries } from "@/components/nouns/calls/queries";
import type { CallSummary } from "@/contracts/calls/calls";
import type { Tool } from "@/contracts/tools/tools";
import classes from "./try-call.module.css";

type RecordedCallsProps = {
  /** Lists only calls of this tool; null lists all. */
  tool: string | null;
  tools: readonly Pick<Tool, "name" | "primaryArgument">[];
  onChoose: (call: CallSummary) => void;
};

/** The newest recorded calls; choosing one fills in its tool, agent and arguments. */
export function RecordedCalls({ tool, tools, onChoose }: RecordedCallsProps) {
  const { data } = useQuery(callQueries.recent(tool === null ? {} : { tool }));
  const calls = data?.items ?? [];
  const lineOf = (call: CallSummary) => argumentLine(call.arguments, tools.find(({ name }) => name === call.name)?.primaryArgument ?? null);
  const byId = new Map(calls.map((call) => [call.callId, call]));
  return (
    <Select
      label="Recorded call"
      description="Fills in the tool, agent and arguments of a call"
      placeholder={calls.length === 0 ? "No calls recorded yet" : "Start from a recorded call"}
      data={calls.map((call) => ({ value: call.callId, label: spellHidden(`${call.name} ${lineOf(call)}`) }))}
      renderOption={({ option }) => {
        const call = byId.get(option.value);
        return call ? (
          <span className={classes.recorded}>
            <span className={`${shared.mono} ${shared.strong}`}>
              <RevealedText text={call.name} />
            </span>{" "}
            <span className={`${classes.recordedArguments} ${shared.oneLine} ${shared.mono}`}>
              <RevealedText text={lineOf(call)} />
            </span>
          </span>
        ) : (
          option.label
        );
      }}
      value={null}
      disabled={calls.length === 0}
      onChange={(id) => {
        const call = id === null ? undefined : byId.get(id);
        if (call) onChoose(call);
      }}
    />
  );
}
