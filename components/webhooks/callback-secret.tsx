"use client";

import { Button, Modal } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { CodeText } from "@/components/ui/code-text";
import { ErrorState } from "@/components/ui/error-state";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import { webhookQueries } from "./queries";
import classes from "./webhooks.module.css";

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
        <div className={classes.story}>
          <p className={classes.hint}>
            Deliveries to the <CodeText>callbackUrl</CodeText> of a turn are signed with this secret of the workspace.
          </p>
          {secret.data ? (
            <CodeBlock label="Secret" text={secret.data.secret} />
          ) : secret.error ? (
            <ErrorState error={secret.error} what="the secret" retry={() => void secret.refetch()} retrying={secret.isFetching} />
          ) : (
            <RowSkeletons rows={1} height={4} what="the secret" />
          )}
        </div>
      </Modal>
    </>
  );
}
