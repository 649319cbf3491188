"use client";

import { Button, Modal, Stack, TextInput } from "@mantine/core";
import { IconClipboardText } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { knowledgeEndpoints } from "@/contracts/browser/knowledge/knowledge";

/** A button for a pasted text as a source. */
export function AddText({ baseId, refresh }: { baseId: string; refresh: () => Promise<unknown> }) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const adding = useMutation({
    meta: { showsError: true },
    mutationFn: () => call(knowledgeEndpoints.addText, { params: { id: baseId }, body: { name: name.trim(), text } }),
    onSuccess: () => {
      setOpen(false);
      setName("");
      setText("");
      void refresh();
    },
  });
  return (
    <>
      <Button variant="default" leftSection={<IconClipboardText size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Paste text
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Paste text" size="lg">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            adding.mutate();
          }}
        >
          <Stack>
            <TextInput
              label="Name"
              placeholder="notes.md"
              value={name}
              maxLength={300}
              data-autofocus
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <AutosizeTextarea label="Text" rows={[8, 20]} value={text} onChange={(event) => setText(event.currentTarget.value)} />
            {adding.error ? (
              <p className={shared.errorText} role="alert">
                <RevealedText text={toErrorSentence(adding.error)} />
              </p>
            ) : null}
            <Button type="submit" loading={adding.isPending} disabled={name.trim() === "" || text.trim() === ""}>
              Add source
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
