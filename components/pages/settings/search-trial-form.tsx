"use client";

import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import form from "@/components/kit/settings-frame/settings.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import {
  type SearchProvider,
  type SearchTrial,
  type SearchTrialResult,
  searchSettingsEndpoints,
} from "@/contracts/browser/tools/search-settings";
import classes from "./search-section.module.css";

/** Sends a query with the saved settings and shows the results. */
export function SearchTrialForm({ providers }: { providers: readonly SearchProvider[] }) {
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState("");
  const trial = useMutation({
    meta: { showsError: true },
    mutationFn: (body: SearchTrial) => call(searchSettingsEndpoints.try, { body }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const provider = providers.find(({ id }) => id === chosen)?.id;
    trial.mutate({ query, ...(provider ? { provider } : {}) });
  };
  const titleOf = (id: string) => providers.find((provider) => provider.id === id)?.title ?? id;
  return (
    <div className={shared.story}>
      <form className={classes.trial} onSubmit={submit}>
        <TextInput
          label="Query"
          placeholder="postgres 18 release notes"
          maxLength={400}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          autoFocus
        />
        <NativeSelect
          label="Provider"
          data={[{ value: "", label: "In this order" }, ...providers.map(({ id, title }) => ({ value: id, label: spellHidden(title) }))]}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        <Button type="submit" loading={trial.isPending} disabled={query.trim() === ""}>
          Try
        </Button>
      </form>
      {trial.error ? (
        <p role="alert" className={form.error}>
          {toErrorSentence(trial.error)}
        </p>
      ) : null}
      {trial.data ? <TrialResult result={trial.data} titleOf={titleOf} /> : null}
    </div>
  );
}

function TrialResult({ result, titleOf }: { result: SearchTrialResult; titleOf: (id: string) => string }) {
  const { provider, results, failures, durationMs } = result;
  const text = results.map(({ title, url, snippet }, at) => `${at + 1}. ${title}\n   ${url}\n   ${snippet}`).join("\n");
  return (
    <div className={shared.story} aria-live="polite">
      {failures.length > 0 ? (
        <ul className={`${shared.dim} ${shared.plainList}`}>
          {failures.map((failure) => (
            <li key={failure.provider}>
              {titleOf(failure.provider)} failed: <RevealedText text={failure.reason} />
            </li>
          ))}
        </ul>
      ) : null}
      {provider === null ? null : results.length === 0 ? (
        <p className={shared.subline}>{titleOf(provider)} found nothing.</p>
      ) : (
        <CodeBlock label={`Results from ${titleOf(provider)}, ${durationMs.toLocaleString("en")} ms`} text={text} />
      )}
    </div>
  );
}
