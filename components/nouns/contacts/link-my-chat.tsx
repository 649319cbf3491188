"use client";

import { Button, Popover } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { CopyButton } from "@/components/kit/ui/text/copy-button";
import { contactEndpoints } from "@/contracts/browser/messengers/contacts";

/** Makes a code by which a member links a chat, so that approvals may be decided there. */
export function LinkMyChat({ onDone }: { onDone: () => void }) {
  const make = useMutation({ meta: { showsError: true }, mutationFn: () => call(contactEndpoints.makeLinkCode, {}) });
  const command = make.data ? `/link ${make.data.code}` : "";
  return (
    <Popover width={340} position="bottom-end" withArrow onClose={onDone}>
      <Popover.Target>
        <Button variant="default" leftSection={<IconLink size={16} aria-hidden />} loading={make.isPending} onClick={() => make.mutate()}>
          Link my chat
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {make.error ? <p className={shared.note}>{toErrorSentence(make.error)}</p> : null}
        {make.data ? (
          <>
            <p>
              <CodeText>{command}</CodeText> <CopyButton text={command} what="command" />
            </p>
            <p className={shared.note}>
              Send this to the agent in a private chat within 15 minutes. You may then decide approvals there. The code works once.
            </p>
          </>
        ) : null}
      </Popover.Dropdown>
    </Popover>
  );
}
