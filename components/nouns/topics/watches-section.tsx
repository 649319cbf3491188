"use client";

import { ActionIcon, Select, Switch, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useRefusal } from "@/components/kit/session/me";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { InlineFormButtons } from "@/components/kit/ui/forms/form-buttons";
import { FormError } from "@/components/kit/ui/forms/form-error";
import { LateForm } from "@/components/kit/ui/forms/late-form";
import { nameChoices } from "@/components/kit/ui/forms/name-choices";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { PageSection } from "@/components/kit/ui/page/page-section";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { agentQueries } from "@/components/nouns/agents/queries";
import type { TopicWatch } from "@/contracts/agents/topics";
import { topicQueries } from "./queries";
import classes from "./topics.module.css";
import { useChangeTopics } from "./use-change-topics";

/** The agents that start with each message of a topic. */
export function WatchesSection({ topicId }: { topicId: string }) {
  const { data, error, refetch, isRefetching } = useQuery(topicQueries.watches(topicId));
  const refusal = useRefusal("topics:write");
  const [isAdding, setAdding] = useState(false);
  return (
    <PageSection heading="Watches">
      {!data && error ? <ErrorState error={error} what="the watches" retry={() => void refetch()} retrying={isRefetching} /> : null}
      {data && data.items.length > 0 ? (
        <ul className={rows.rows} aria-label="Watches">
          {data.items.map((watch) => (
            <Watch key={watch.id} watch={watch} refusal={refusal} />
          ))}
        </ul>
      ) : null}
      {isAdding ? (
        <WatchForm topicId={topicId} onDone={() => setAdding(false)} />
      ) : (
        <div className={classes.form}>
          <RefusableButton
            refusal={refusal}
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            Let an agent watch
          </RefusableButton>
        </div>
      )}
    </PageSection>
  );
}

function Watch({ watch, refusal }: { watch: TopicWatch; refusal: string | null }) {
  const { switchWatch, removeWatch } = useChangeTopics();
  const { id, name, agent, prompt, filterSender, enabled, lastError, lastFiredAt, createdBy } = watch;
  return (
    <li className={`${rows.row} ${classes.item}`}>
      <div className={classes.text}>
        <RevealedText text={agent} />: <RevealedText text={prompt} />
        <div className={`${shared.inline} ${shared.small}`}>
          <span>
            <RevealedText text={name} />
          </span>
          {filterSender ? (
            <span>
              only messages of <RevealedText text={filterSender} />
            </span>
          ) : null}
          <span>
            acts for <RevealedText text={createdBy.name} />
          </span>
          {lastFiredAt ? (
            <span>
              last started <RelativeTime at={lastFiredAt} />
            </span>
          ) : null}
          {lastError ? (
            <span role="status">
              last message: <RevealedText text={lastError} />
            </span>
          ) : null}
        </div>
      </div>
      <DisabledReason reason={refusal}>
        <div className={shared.bar}>
          <Switch
            aria-label={`${name} is on`}
            checked={enabled}
            disabled={refusal !== null}
            onChange={(event) => switchWatch.mutate({ id, enabled: event.currentTarget.checked })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove ${name}`}
            disabled={refusal !== null}
            onClick={() => removeWatch.mutate(id)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      </DisabledReason>
    </li>
  );
}

function WatchForm({ topicId, onDone }: { topicId: string; onDone: () => void }) {
  const agents = useQuery(agentQueries.list());
  const { watch } = useChangeTopics();
  const [agent, setAgent] = useState<string | null>(null);
  const [name, setName] = useState("");
  const [prompt, setPrompt] = useState("{sender} wrote in {topic}: {content}");
  const [sender, setSender] = useState("");
  const isComplete = agent !== null && name.trim() !== "" && prompt.trim() !== "";
  const submit = () => {
    if (!agent) return;
    const settings = { name: name.trim(), prompt: prompt.trim(), filterSender: sender.trim() || null };
    watch.mutate({ id: topicId, agent, ...settings }, { onSuccess: onDone });
  };
  return (
    <LateForm
      className={classes.form}
      aria-label="New watch"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) submit();
      }}
    >
      <Select label="Agent" data-autofocus data={nameChoices(agents.data?.items)} value={agent} onChange={setAgent} searchable />
      <TextInput
        label="Name"
        placeholder="check reports"
        maxLength={90}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <AutosizeTextarea
        label="Prompt"
        description="{content}, {topic}, {sender} and {message_id} are filled in."
        rows={[2, 8]}
        maxLength={4_000}
        value={prompt}
        onChange={(event) => setPrompt(event.currentTarget.value)}
      />
      <TextInput
        label="Only messages of"
        placeholder="Everybody"
        maxLength={200}
        value={sender}
        onChange={(event) => setSender(event.currentTarget.value)}
      />
      <FormError error={watch.error} />
      <InlineFormButtons submit="Add watch" isSaving={watch.isPending} disabled={!isComplete} onCancel={onDone} />
    </LateForm>
  );
}
