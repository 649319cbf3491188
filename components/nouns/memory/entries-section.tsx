"use client";

import { Select, TextInput } from "@mantine/core";
import { IconListDetails, IconPlus } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { type MemoryEntry, type MemoryOwnerCount, memoryEndpoints, memoryEntryTypes } from "@/contracts/browser/memory/memory";
import classes from "./memory.module.css";
import { placeWord } from "./owner-words";
import { memoryQueries, type Shown } from "./queries";
import { useChangeMemory } from "./use-change-memory";

/** The entries by type and key, with a form for more. */
export function EntriesSection({ shown, owners }: { shown: Shown; owners: readonly MemoryOwnerCount[] }) {
  const entries = useQuery(memoryQueries.entries(shown));
  const refusal = useRefusal("memory:write");
  const { removeEntry } = useChangeMemory();
  return (
    <>
      <NewEntry shown={shown} refusal={refusal} />
      <Loaded query={entries} what="the entries" rows={4} height={3}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={IconListDetails} title="No entries yet">
              An entry is a short fact under a key, such as the language of answers. The newest ones stand in the prompt.
            </EmptyState>
          ) : (
            <ul className={rows.rows} aria-label="Memory entries">
              {found.map((entry) => (
                <li key={entry.id} className={`${rows.row} ${classes.item}`}>
                  <div className={shared.fluid}>
                    <strong>
                      <RevealedText text={`${entry.type}/${entry.key}`} />
                    </strong>
                    <p className={classes.text}>
                      <RevealedText text={entry.content} />
                    </p>
                    <div className={classes.about}>
                      <span>
                        <RevealedText text={placeWord(entry, owners)} />
                      </span>
                      <span>
                        by <RevealedText text={entry.author.name} />
                      </span>
                      <RelativeTime at={entry.updatedAt} />
                    </div>
                  </div>
                  <RefusableButton
                    refusal={refusal}
                    variant="default"
                    size="compact-sm"
                    aria-label={`Forget ${entry.key}`}
                    onClick={() => removeEntry.mutate(entry)}
                  >
                    Forget
                  </RefusableButton>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}

function NewEntry({ shown, refusal }: { shown: Shown; refusal: string | null }) {
  const client = useQueryClient();
  const [type, setType] = useState<MemoryEntry["type"]>("project");
  const [key, setKey] = useState("");
  const [content, setContent] = useState("");
  const owner = shown.ownerKey || null;
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: () =>
      call(memoryEndpoints.saveEntry, {
        body: { agentId: shown.agentId, scope: owner ? "PERSONAL" : "TEAM", ownerKey: owner, type, key, content },
      }),
    onSuccess: () => {
      setKey("");
      setContent("");
    },
    onSettled: () => client.invalidateQueries({ queryKey: memoryQueries.all() }),
  });
  return (
    <form
      className={shared.bar}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Select
        aria-label="Type"
        w={140}
        data={[...memoryEntryTypes]}
        value={type}
        allowDeselect={false}
        onChange={(value) => setType(memoryEntryTypes.find((known) => known === value) ?? "project")}
      />
      <TextInput
        aria-label="Key"
        placeholder="Key"
        w={160}
        maxLength={100}
        value={key}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      <TextInput
        aria-label="Text of the entry"
        placeholder={owner ? "What to remember for this owner" : "What to remember for all who use the agent"}
        className={shared.field}
        maxLength={4_000}
        value={content}
        error={save.error ? toErrorSentence(save.error) : null}
        onChange={(event) => setContent(event.currentTarget.value)}
      />
      <RefusableButton
        refusal={refusal}
        type="submit"
        leftSection={<IconPlus size={16} aria-hidden />}
        loading={save.isPending}
        disabled={key.trim() === "" || content.trim() === ""}
      >
        Remember
      </RefusableButton>
    </form>
  );
}
