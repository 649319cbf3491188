"use client";

import { Autocomplete, Select } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { isJsonObject } from "@/components/kit/api/read-json";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { MarkedText } from "@/components/kit/ui/text/marked-text";
import { agentQueries } from "@/components/nouns/agents/queries";
import { type ArgumentDraft, toArgumentDraft, toArguments } from "@/components/nouns/call-form/argument-draft";
import { startingArguments } from "@/components/nouns/call-form/argument-fields";
import { ArgumentForm } from "@/components/nouns/call-form/argument-form";
import { evidenceMarks } from "@/components/nouns/effects/evidence-marks";
import type { CallSummary } from "@/contracts/calls/calls";
import type { JsonObject } from "@/contracts/common";
import type { Tool } from "@/contracts/tools/tools";
import type { RuleForm } from "../rule-form/rule-draft";
import { ruleFromCall } from "../rule-form/rule-from-call";
import { DecisionTrace } from "./decision-trace";
import { RecordedCalls } from "./recorded-calls";
import classes from "./try-call.module.css";
import { useEvaluation } from "./use-evaluation";

type TryCallProps = {
  tools: readonly Tool[];
  /** Name of the initial tool. */
  startWith: string | null;
  /** Why the person may not write rules. */
  refusal: string | null;
  onMakeRule: (start: Partial<RuleForm>) => void;
};

/** Evaluates a call without making it: nothing runs and nothing is recorded. */
export function TryCall({ tools, startWith, refusal, onMakeRule }: TryCallProps) {
  const [name, setName] = useState(startWith ?? "");
  const [agent, setAgent] = useState<string | null>(null);
  const tool = toolOf(tools, name);
  const [example, setExample] = useState<JsonObject>(tool ? startingArguments(tool) : {});
  const [draft, setDraft] = useState<ArgumentDraft>(() => toArgumentDraft(example));
  // Key of the fields, so that they reset when the person starts from another call.
  const [startedFrom, setStartedFrom] = useState<string | null>(null);
  const agents = useQuery(agentQueries.list());
  const args = toArguments(tool ? draft : { ...draft, view: "json" });
  const { data, error } = useEvaluation(name.trim(), args, agent === null ? undefined : { agent });
  const isWritten = name.trim() !== "" && args !== null;
  const primary = toolOf(tools, data?.tool ?? "")?.primaryArgument ?? null;
  // The offsets refer to the unmasked text, so marks need a text that is shown as it was sent.
  const isPrimarySeen = data && primary !== null && args?.[primary] === data.seen;
  const marksOfSeen = isPrimarySeen ? evidenceMarks(primary, data.seen, data.effects ?? []) : [];

  const choose = (chosen: string) => {
    setName(chosen);
    const next = toolOf(tools, chosen);
    // Keeps edited arguments; only an untouched example is replaced.
    if (!next || JSON.stringify(args) !== JSON.stringify(example)) return;
    setExample(startingArguments(next));
    setDraft(toArgumentDraft(startingArguments(next)));
  };

  const startFrom = (recorded: CallSummary) => {
    setName(recorded.name);
    setAgent(recorded.agent);
    setStartedFrom(recorded.callId);
    setDraft(
      isJsonObject(recorded.arguments)
        ? toArgumentDraft(recorded.arguments)
        : { ...toArgumentDraft({}), view: "json", text: String(recorded.arguments) },
    );
  };

  return (
    <div className={classes.columns}>
      <div className={classes.form}>
        <RecordedCalls tool={tool?.name ?? null} tools={tools} onChoose={startFrom} />
        <Autocomplete
          label="Tool"
          description="Name or alias"
          {...codeInputProps}
          data={tools.map((known) => known.name)}
          limit={60}
          value={name}
          onChange={choose}
        />
        <Select
          label="Agent"
          description="For rules with an agent condition"
          placeholder="Any agent"
          data={(agents.data?.items ?? []).map((known) => known.name)}
          value={agent}
          onChange={setAgent}
          clearable
          clearButtonProps={{ "aria-label": "Any agent" }}
        />
        <ArgumentForm key={`${tool?.id} ${startedFrom}`} tool={tool} draft={draft} onChange={setDraft} />
      </div>
      <section className={`${classes.answer} ${shared.surface}`} aria-label="Guard decision" aria-live="polite">
        {!isWritten ? (
          <p className={`${classes.dim} ${shared.note} ${shared.wraps}`}>
            Choose a tool and fill in its arguments to see the guard's decision.
          </p>
        ) : error ? (
          <p className={shared.errorText} role="alert">
            {toErrorSentence(error)}
          </p>
        ) : data ? (
          <>
            <DecisionTrace decision={data} />
            {data.seen ? (
              <p className={`${classes.dim} ${shared.note} ${shared.wraps}`}>
                Patterns without a parameter match against{" "}
                <CodeText>
                  <MarkedText text={data.seen} marks={marksOfSeen} />
                </CodeText>
              </p>
            ) : null}
            <div className={classes.make}>
              <RefusableButton
                refusal={refusal}
                variant="default"
                leftSection={<IconPlus size={16} aria-hidden />}
                onClick={() => onMakeRule(ruleFromCall(data))}
              >
                Make a rule from this call
              </RefusableButton>
            </div>
          </>
        ) : (
          <p className={`${classes.dim} ${shared.note} ${shared.wraps}`}>Asking the guard…</p>
        )}
      </section>
    </div>
  );
}

const toolOf = (tools: readonly Tool[], name: string): Tool | null =>
  tools.find((known) => known.name === name.trim() || known.aliases.includes(name.trim())) ?? null;
