"use client";

import { ActionIcon, Button, FileButton, Tooltip } from "@mantine/core";
import { IconArrowUp, IconPaperclip, IconPlayerStop } from "@tabler/icons-react";
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, type Ref, useEffect, useEffectEvent, useState } from "react";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { AddedFiles } from "./added-files";
import classes from "./composer.module.css";
import { SkillPicker } from "./skill-picker";
import type { useFiles } from "./use-files";
import { useSkillPicker } from "./use-skill-picker";

type ComposerProps = {
  agent: { id: string; name: string };
  text: string;
  onType: (text: string) => void;
  files: ReturnType<typeof useFiles>;
  /** Why the person may not write; null when they may. */
  refusal: string | null;
  /** The agent works, so a message waits for its end. */
  isWorking: boolean;
  isSending: boolean;
  isStopping: boolean;
  error: string | null;
  field: Ref<HTMLTextAreaElement>;
  onSend: () => void;
  onStop: () => void;
};

/** Where a message is written: text, files, send and stop. */
export function Composer(props: ComposerProps) {
  const { agent, text, onType, files, refusal, isWorking, isSending, isStopping, error, field, onSend, onStop } = props;
  const [chosen, setChosen] = useState(0);
  /** The message is sent once its files are stored. */
  const [isDue, setIsDue] = useState(false);
  const isReady = refusal === null && text.trim() !== "" && !isSending;
  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (isReady && files.isSending) setIsDue(true);
    else if (isReady) onSend();
  };
  const sendDue = useEffectEvent(() => {
    setIsDue(false);
    // A file that could not be stored is for the person to remove or to choose again.
    if (isReady && files.files.every(({ state }) => state === "stored")) onSend();
  });
  useEffect(() => {
    if (isDue && !files.isSending) sendDue();
  }, [isDue, files.isSending]);
  const skills = useSkillPicker(agent.id, text, onType);
  const keys = (event: KeyboardEvent) => {
    if (skills.takeKey(event)) return;
    if (event.key === "Escape") (event.currentTarget as HTMLElement).blur();
    // On a phone, Enter begins a line, because its keyboard has no other key for that.
    const isPhone = window.matchMedia("(pointer: coarse)").matches;
    const sends =
      event.key === "Enter" && !event.nativeEvent.isComposing && (event.metaKey || event.ctrlKey || (!event.shiftKey && !isPhone));
    if (sends) send(event);
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0 || refusal !== null) return;
    event.preventDefault();
    void files.add(pasted);
  };
  return (
    <form className={`${classes.composer} ${shared.stackClose}`} onSubmit={send} aria-label="New message">
      {error ? (
        <p className={classes.error} role="alert">
          <RevealedText text={error} />
        </p>
      ) : null}
      <AddedFiles files={files.files} onRemove={files.remove} />
      {refusal === null ? <SkillPicker picker={skills} /> : null}
      <DisabledReason reason={refusal}>
        <div className={classes.box} data-disabled={refusal !== null || undefined}>
          <AutosizeTextarea
            className={classes.field}
            variant="unstyled"
            aria-label={`Message to ${agent.name}`}
            placeholder={spellHidden(isWorking ? `Queue a message for ${agent.name}` : `Message ${agent.name}`)}
            rows={[1, 12]}
            value={text}
            disabled={refusal !== null}
            onChange={(event) => onType(event.currentTarget.value)}
            onKeyDown={keys}
            onPaste={paste}
            {...skills.field}
            ref={field}
          />
          <div className={classes.buttons}>
            <FileButton
              key={chosen}
              multiple
              onChange={(picked) => {
                // A new input, so that the same file can be picked again.
                setChosen(chosen + 1);
                void files.add(picked);
              }}
            >
              {(button) => (
                <Tooltip label="Add files">
                  <ActionIcon size="lg" aria-label="Add files" disabled={refusal !== null} {...button}>
                    <IconPaperclip size={18} aria-hidden />
                  </ActionIcon>
                </Tooltip>
              )}
            </FileButton>
            <span className={classes.end}>
              {isWorking ? (
                <Button
                  variant="default"
                  size="compact-md"
                  leftSection={<IconPlayerStop size={15} aria-hidden />}
                  loading={isStopping}
                  disabled={refusal !== null}
                  onClick={onStop}
                >
                  Stop
                </Button>
              ) : null}
              <Tooltip label={isWorking ? "Send when the agent is done" : "Send"}>
                <ActionIcon
                  type="submit"
                  size="lg"
                  variant="filled"
                  color="accent"
                  aria-label={isWorking ? "Queue message" : "Send message"}
                  disabled={!isReady}
                  loading={isSending || isDue}
                >
                  <IconArrowUp size={18} aria-hidden />
                </ActionIcon>
              </Tooltip>
            </span>
          </div>
        </div>
      </DisabledReason>
    </form>
  );
}
