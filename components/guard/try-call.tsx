"use client";

import { Autocomplete, JsonInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/api/call";
import { sentenceOf } from "@/components/api/sentence-of";
import { MachineText } from "@/components/ui/machine-text";
import { machineTyping } from "@/components/ui/machine-typing";
import { RevealedText } from "@/components/ui/revealed-text";
import { JsonObject } from "@/contracts/common";
import { guardEndpoints } from "@/contracts/guard";
import type { Tool } from "@/contracts/tools";
import { DecisionStory } from "./decision-story";
import { exampleArguments } from "./example-arguments";
import { guardQueries } from "./queries";
import classes from "./try-call.module.css";

const typingPauseMs = 300;

/** Asks the guard about a call that nobody makes: nothing runs and nothing is recorded. */
export function TryCall({ tools, startWith }: { tools: readonly Tool[] /** Name of a tool. */; startWith: string | null }) {
  const first = tools.find(({ name }) => name === startWith);
  const [tool, setTool] = useState(startWith ?? "");
  const [text, setText] = useState(first ? exampleArguments(first) : "{}");
  const [asked] = useDebouncedValue(JSON.stringify({ tool: tool.trim(), text }), typingPauseMs);
  const args = parseArguments(text);
  const isWritten = tool.trim() !== "" && args !== null;
  const isPaused = asked === JSON.stringify({ tool: tool.trim(), text });
  const { data, error } = useQuery({
    queryKey: [...guardQueries.all(), "evaluate", tool.trim(), text],
    queryFn: ({ signal }) => call(guardEndpoints.evaluate, { body: { tool: tool.trim(), arguments: args ?? {} } }, { signal }),
    enabled: isWritten && isPaused,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 60_000,
  });
  const choose = (name: string) => {
    const chosen = tools.find((known) => known.name === name);
    setTool(name);
    // What a person wrote stays; only an untouched example makes room for the next one.
    const isExample = tools.some((known) => exampleArguments(known) === text) || text.trim() === "{}";
    if (chosen && isExample) setText(exampleArguments(chosen));
  };

  return (
    <div className={classes.columns}>
      <div className={classes.form}>
        <Autocomplete
          label="Tool"
          description="Aliases work as they do for a model"
          {...machineTyping}
          data={tools.map(({ name }) => name)}
          limit={60}
          value={tool}
          onChange={choose}
        />
        <JsonInput
          label="Arguments"
          description="As JSON"
          classNames={{ input: classes.json }}
          autosize
          minRows={6}
          maxRows={20}
          value={text}
          onChange={setText}
          error={args === null ? "This is not a JSON object yet" : undefined}
          spellCheck={false}
        />
      </div>
      <section className={classes.answer} aria-label="Answer of the guard" aria-live="polite">
        {!isWritten ? (
          <p className={classes.dim}>Choose a tool and write the arguments of a call. The guard says what it would do and why.</p>
        ) : error ? (
          <p className={classes.error} role="alert">
            {sentenceOf(error)}
          </p>
        ) : data ? (
          <>
            <DecisionStory decision={data} />
            {data.seen ? (
              <p className={classes.dim}>
                A pattern without a parameter sees:{" "}
                <MachineText>
                  <RevealedText text={data.seen} />
                </MachineText>
              </p>
            ) : null}
          </>
        ) : (
          <p className={classes.dim}>Asking the guard…</p>
        )}
      </section>
    </div>
  );
}

function parseArguments(text: string): JsonObject | null {
  try {
    const parsed = JsonObject.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
