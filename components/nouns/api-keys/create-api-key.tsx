"use client";

import { Modal } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import type { Agent } from "@/contracts/agents/agents";
import type { CreatedApiKey } from "@/contracts/identity/identity";

const ApiKeyForm = dynamic(() => import("./api-key-form").then((file) => file.ApiKeyForm), { ssr: false });
const NewApiKey = dynamic(() => import("./new-api-key").then((file) => file.NewApiKey), { ssr: false });

type CreateApiKeyProps = {
  opened: boolean;
  onClose: () => void;
  agents: readonly Agent[];
  /** Agent that the form starts with. */
  agentId?: string;
};

/** Asks for the settings of a key, then shows the key once. */
export function CreateApiKey({ opened, onClose, agents, agentId }: CreateApiKeyProps) {
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const close = () => {
    setCreated(null);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={created ? spellHidden(`${created.name} is created`) : "Create an API key"}
      size="lg"
      // A click beside the dialog must not close it, because the key is shown only once.
      closeOnClickOutside={!created}
      closeOnEscape={!created}
    >
      {created ? (
        <NewApiKey apiKey={created} onDone={close} />
      ) : (
        <ApiKeyForm agents={agents} agentId={agentId ?? null} onCreated={setCreated} onCancel={close} />
      )}
    </Modal>
  );
}
