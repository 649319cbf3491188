"use client";

import { Modal } from "@mantine/core";
import { useState } from "react";
import type { Agent } from "@/contracts/agents";
import type { CreatedApiKey } from "@/contracts/identity";
import { ApiKeyForm } from "./api-key-form";
import { NewApiKey } from "./new-api-key";

/** Asks what a key is for, then shows it once. */
export function CreateApiKey({ opened, onClose, agents }: { opened: boolean; onClose: () => void; agents: readonly Agent[] }) {
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const close = () => {
    setCreated(null);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={created ? `${created.name} is created` : "Create an API key"}
      size="lg"
      // A slip beside the dialog must not lose a key that nobody will see again.
      closeOnClickOutside={!created}
      closeOnEscape={!created}
    >
      {created ? <NewApiKey apiKey={created} onDone={close} /> : <ApiKeyForm agents={agents} onCreated={setCreated} onCancel={close} />}
    </Modal>
  );
}
