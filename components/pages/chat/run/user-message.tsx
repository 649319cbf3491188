"use client";

import { ActionIcon, Tooltip } from "@mantine/core";
import { IconPaperclip, IconPencil } from "@tabler/icons-react";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { FormButtons } from "@/components/kit/ui/forms/form-buttons";
import shared from "@/components/kit/ui/shared.module.css";
import { formatBytes } from "@/components/kit/ui/text/format-bytes";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { ImagePreview } from "@/components/nouns/calls/image-preview";
import type { RunMessage } from "@/contracts/runs/runs";
import classes from "./user-message.module.css";

type UserMessageProps = {
  message: RunMessage;
  /** Why the message cannot be sent again; null when it can. */
  refusal: string | null;
  isSending: boolean;
  onSend: (text: string) => void;
};

/** A person's message with its files; it can be changed and sent again. */
export function UserMessage({ message, refusal, isSending, onSend }: UserMessageProps) {
  const [edited, setEdited] = useState<string | null>(null);
  if (edited !== null && refusal === null) {
    return (
      <EditMessage
        text={edited}
        isSending={isSending}
        onChange={setEdited}
        onCancel={() => setEdited(null)}
        onSend={() => onSend(edited)}
      />
    );
  }
  return (
    <div className={classes.message}>
      <div className={classes.bubble}>
        <p className={classes.text}>
          <RevealedText text={message.text} />
        </p>
        <Attachments message={message} />
      </div>
      <Tooltip label={refusal ?? "Edit and send again"}>
        <ActionIcon
          className={classes.edit}
          aria-label="Edit message"
          aria-disabled={refusal !== null || undefined}
          data-disabled={refusal !== null || undefined}
          onClick={() => refusal === null && setEdited(message.text)}
        >
          <IconPencil size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

function Attachments({ message: { attachments } }: { message: RunMessage }) {
  if (attachments.length === 0) return null;
  return (
    <ul className={`${shared.bar} ${shared.plainList}`} aria-label="Files">
      {attachments.map(({ path, mediaType, bytes, artifactId }) => (
        <li key={path} className={shared.stackTight}>
          {artifactId ? <ImagePreview id={artifactId} mediaType={mediaType} size={null} of={path} /> : null}
          <span className={classes.fileName}>
            <IconPaperclip size={14} aria-hidden /> <RevealedText text={path} /> <span className={shared.dim}>{formatBytes(bytes)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

type EditMessageProps = { text: string; isSending: boolean; onChange: (text: string) => void; onCancel: () => void; onSend: () => void };

function EditMessage({ text, isSending, onChange, onCancel, onSend }: EditMessageProps) {
  const isReady = text.trim() !== "" && !isSending;
  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (isReady) onSend();
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      onCancel();
    }
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) send(event);
  };
  return (
    <form className={shared.stackClose} onSubmit={send} aria-label="Edit message">
      <AutosizeTextarea
        label="Message"
        description="The messages after this one leave the conversation. They stay in the audit log."
        inputWrapperOrder={["label", "input", "description", "error"]}
        rows={[2, 12]}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={keys}
        ref={(field) => field?.focus()}
      />
      <FormButtons submit="Send again" isSaving={isSending} disabled={!isReady} onCancel={onCancel} />
    </form>
  );
}
