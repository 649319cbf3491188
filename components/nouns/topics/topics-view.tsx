"use client";

import { Select, TextInput } from "@mantine/core";
import { IconMessages, IconPlus, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { confirmRemoval } from "@/components/kit/resources/confirm-removal";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { type Topic, topicEndpoints } from "@/contracts/browser/agents/topics";
import { MessagesSection } from "./messages-section";
import { topicQueries } from "./queries";
import { useChangeTopics } from "./use-change-topics";
import { WatchesSection } from "./watches-section";

/** The message bus between agents: topics with their messages and watches. */
export function TopicsView() {
  const topics = useQuery(topicQueries.list());
  const [id, setId] = useQueryState("topic", parseAsString.withOptions({ history: "push" }));
  const items = topics.data?.items ?? [];
  const chosen = items.find((topic) => topic.id === id) ?? items[0];
  return (
    <>
      <PageHeader title="Topics" description="A message in a topic starts the agents that watch it." />
      <NewTopic onMade={(made) => void setId(made.id)} />
      <Loaded query={topics} what="the topics" rows={3} height={2.25}>
        {() =>
          !chosen ? (
            <EmptyState icon={IconMessages} title="No topics yet">
              Add one above, then let an agent watch it.
            </EmptyState>
          ) : (
            <>
              <div className={`${shared.fieldBar} ${shared.above}`}>
                <Select
                  label="Topic"
                  description={spellHidden(chosen.description) || undefined}
                  className={shared.field}
                  data={items.map((topic) => ({ value: topic.id, label: spellHidden(topic.name) }))}
                  value={chosen.id}
                  onChange={(value) => void setId(value)}
                  allowDeselect={false}
                  searchable
                />
                <RemoveTopic topic={chosen} onRemoved={() => void setId(null)} />
              </div>
              <MessagesSection key={`messages ${chosen.id}`} topicId={chosen.id} />
              <WatchesSection key={`watches ${chosen.id}`} topicId={chosen.id} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function NewTopic({ onMade }: { onMade: (topic: Topic) => void }) {
  const refusal = useRefusal("topics:write");
  const { create } = useChangeTopics();
  const [name, setName] = useState("");
  const submit = () =>
    create.mutate(
      { name: name.trim(), description: "" },
      {
        onSuccess: (topic) => {
          setName("");
          onMade(topic);
        },
      },
    );
  return (
    <form
      className={`${shared.fieldBar} ${shared.above}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") submit();
      }}
    >
      <TextInput
        className={shared.field}
        aria-label="Name of the new topic"
        placeholder="reports"
        maxLength={64}
        value={name}
        disabled={refusal !== null}
        error={create.error ? toErrorSentence(create.error) : null}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <RefusableButton
        refusal={refusal}
        type="submit"
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        loading={create.isPending}
        disabled={name.trim() === ""}
      >
        Add topic
      </RefusableButton>
    </form>
  );
}

function RemoveTopic({ topic, onRemoved }: { topic: Topic; onRemoved: () => void }) {
  const refusal = useRefusal("topics:write");
  const { refresh } = useChangeTopics();
  const ask = () =>
    confirmRemoval({
      ...{ name: topic.name, noun: "topic", loss: "Its messages and watches are deleted. The conversations that they opened stay." },
      ...{ onRemoved, refresh },
      remove: () => call(topicEndpoints.remove, { params: { id: topic.id } }),
    });
  return (
    <RefusableButton refusal={refusal} variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={ask}>
      Remove
    </RefusableButton>
  );
}
