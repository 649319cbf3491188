"use client";

import { Button, Modal } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorState } from "@/components/ui/error-state";
import { MachineBlock } from "@/components/ui/machine-block";
import { MachineText } from "@/components/ui/machine-text";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import { webhookQueries } from "./queries";
import classes from "./webhooks.module.css";

/** The secret behind deliveries that belong to no webhook, for whoever writes their receiver. */
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
            A turn may name an address of its own, <MachineText>callbackUrl</MachineText>, when it is submitted. What is sent there is
            signed with this secret of the workspace.
          </p>
          {secret.data ? (
            <MachineBlock label="Secret" text={secret.data.secret} />
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
