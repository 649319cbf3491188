"use client";

import { Button, Select, TextInput } from "@mantine/core";
import { IconMessages, IconPlus, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { confirmRemoval } from "@/components/kit/resources/confirm-removal";
import { useRefusal } from "@/components/kit/session/me";
import { DisabledReason } from "@/components/kit/ui/disabled-reason";
import { EmptyState } from "@/components/kit/ui/empty-state";
import { Loaded } from "@/components/kit/ui/loaded";
import { PageHeader } from "@/components/kit/ui/page-header";
import { spellHidden } from "@/components/kit/ui/reveal-hidden";
import shared from "@/components/kit/ui/shared.module.css";
import { type Channel, channelEndpoints } from "@/contracts/browser/channels";
import classes from "./channels.module.css";
import { MessagesSection } from "./messages-section";
import { channelQueries } from "./queries";
import { useChangeChannels } from "./use-change-channels";
import { WatchesSection } from "./watches-section";

/** The message bus between agents: channels with their messages and watches. */
export function ChannelsView() {
  const channels = useQuery(channelQueries.list());
  const [id, setId] = useQueryState("channel", parseAsString.withOptions({ history: "push" }));
  const items = channels.data?.items ?? [];
  const chosen = items.find((channel) => channel.id === id) ?? items[0];
  return (
    <>
      <PageHeader title="Channels" description="A message in a channel starts the agents that watch it." />
      <NewChannel onMade={(made) => void setId(made.id)} />
      <Loaded query={channels} what="the channels" rows={3} height={2.25}>
        {() =>
          !chosen ? (
            <EmptyState icon={IconMessages} title="No channels yet">
              Add one above, then let an agent watch it.
            </EmptyState>
          ) : (
            <>
              <div className={classes.bar}>
                <Select
                  label="Channel"
                  description={spellHidden(chosen.description) || undefined}
                  className={shared.field}
                  data={items.map((channel) => ({ value: channel.id, label: spellHidden(channel.name) }))}
                  value={chosen.id}
                  onChange={(value) => void setId(value)}
                  allowDeselect={false}
                  searchable
                />
                <RemoveChannel channel={chosen} onRemoved={() => void setId(null)} />
              </div>
              <MessagesSection key={`messages ${chosen.id}`} channelId={chosen.id} />
              <WatchesSection key={`watches ${chosen.id}`} channelId={chosen.id} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function NewChannel({ onMade }: { onMade: (channel: Channel) => void }) {
  const refusal = useRefusal("channels:write");
  const { create } = useChangeChannels();
  const [name, setName] = useState("");
  const submit = () =>
    create.mutate(
      { name: name.trim(), description: "" },
      {
        onSuccess: (channel) => {
          setName("");
          onMade(channel);
        },
      },
    );
  return (
    <form
      className={classes.bar}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") submit();
      }}
    >
      <TextInput
        className={shared.field}
        aria-label="Name of the new channel"
        placeholder="reports"
        maxLength={64}
        value={name}
        disabled={refusal !== null}
        error={create.error ? toErrorSentence(create.error) : null}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <DisabledReason reason={refusal}>
        <Button
          type="submit"
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          loading={create.isPending}
          disabled={refusal !== null || name.trim() === ""}
        >
          Add channel
        </Button>
      </DisabledReason>
    </form>
  );
}

function RemoveChannel({ channel, onRemoved }: { channel: Channel; onRemoved: () => void }) {
  const refusal = useRefusal("channels:write");
  const { refresh } = useChangeChannels();
  const ask = () =>
    confirmRemoval({
      ...{ name: channel.name, noun: "channel", loss: "Its messages and watches are deleted. The conversations that they opened stay." },
      ...{ onRemoved, refresh },
      remove: () => call(channelEndpoints.remove, { params: { id: channel.id } }),
    });
  return (
    <DisabledReason reason={refusal}>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} disabled={refusal !== null} onClick={ask}>
        Remove
      </Button>
    </DisabledReason>
  );
}
