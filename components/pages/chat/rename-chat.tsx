"use client";

import { TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { type Chat, chatEndpoints, maxChatTitleChars } from "@/contracts/browser/runs/chats";
import classes from "./chat-list.module.css";
import { chatQueries } from "./queries";

/** Field for a conversation's title. An empty one brings the first words back. */
export function RenameChat({ chat, onDone }: { chat: Chat; onDone: () => void }) {
  const client = useQueryClient();
  const [title, setTitle] = useState(chat.title);
  const rename = useMutation({
    meta: { showsError: true },
    mutationFn: (chosen: string | null) => call(chatEndpoints.update, { params: { id: chat.id }, body: { title: chosen } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [...chatQueries.all(), "list"] });
      onDone();
    },
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate(title.trim() || null);
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onDone();
  };
  return (
    <form className={classes.words} onSubmit={save}>
      <TextInput
        aria-label="Title"
        description="Enter saves, Escape keeps the old title."
        inputWrapperOrder={["input", "description", "error"]}
        maxLength={maxChatTitleChars}
        value={title}
        disabled={rename.isPending}
        error={rename.isError ? toErrorSentence(rename.error) : null}
        onChange={(event) => setTitle(event.currentTarget.value)}
        onKeyDown={keys}
        ref={(field) => {
          field?.focus();
        }}
      />
    </form>
  );
}
