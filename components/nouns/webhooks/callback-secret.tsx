"use client";

import { Button, Modal } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import shared from "@/components/kit/ui/shared.module.css";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { webhookQueries } from "./queries";

/** The signing secret of deliveries to a turn's callbackUrl, for the developer of the receiver. */
export function CallbackSecret() {
  const [opened, setOpened] = useState(false);
  const secret = useQuery({ ...webhookQueries.callbackSecret(), enabled: opened });
  return (
    <>
      <Button variant="default" leftSection={<IconKey size={16} aria-hidden />} onClick={() => setOpened(true)}>
        Callback secret
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Callback secret" size="lg">
        <div className={shared.story}>
          <p className={shared.note}>
            Deliveries to the <CodeText>callbackUrl</CodeText> of a turn are signed with this secret of the workspace.
          </p>
          <Loaded query={secret} what="the secret" rows={1} height={4}>
            {(found) => <CodeBlock label="Secret" text={found.secret} />}
          </Loaded>
        </div>
      </Modal>
    </>
  );
}
