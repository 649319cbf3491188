"use client";

import { IconBrain } from "@tabler/icons-react";
import { useRefusal } from "@/components/kit/session/me";
import { DetailDrawer } from "@/components/kit/ui/overlays/detail-drawer";
import { Facts } from "@/components/kit/ui/page/facts";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { CodeText } from "@/components/kit/ui/text/code-text";
import type { LocalModelServer, ModelProvider } from "@/contracts/models/models";
import { ProviderForm } from "./provider-form";
import { kindWords } from "./provider-presets";

type ProviderDrawerProps = {
  /** Id of a provider, or `new`. */
  id: string | null;
  preset: string | null;
  providers: readonly ModelProvider[];
  servers: readonly LocalModelServer[];
  onClose: () => void;
};

/** Form of a provider; people who may not change it see its settings. */
export function ProviderDrawer({ id, preset, providers, servers, onClose }: ProviderDrawerProps) {
  const refusal = useRefusal("models:write");
  const provider = providers.find((candidate) => candidate.id === id) ?? null;
  const isForm = refusal === null && (id === "new" || provider !== null);
  const title = id === "new" ? "Add a model provider" : (provider?.name ?? "Model provider");
  return (
    <DetailDrawer opened={id !== null} onClose={onClose} title={title} holds={isForm ? "form" : "story"}>
      {isForm ? (
        <ProviderForm
          key={id}
          provider={provider}
          preset={preset}
          local={servers.find(({ server }) => server === preset) ?? null}
          onDone={onClose}
        />
      ) : provider ? (
        <ProviderFacts provider={provider} />
      ) : (
        <EmptyState icon={IconBrain} title={refusal && id === "new" ? "Only admins add providers" : "Provider not found"}>
          {refusal && id === "new" ? refusal : "The provider was removed, or the address is wrong."}
        </EmptyState>
      )}
    </DetailDrawer>
  );
}

function ProviderFacts({ provider: { kind, baseUrl, maskedKey, enabled, models } }: { provider: ModelProvider }) {
  return (
    <Facts
      facts={[
        ["Protocol", kindWords[kind]],
        ["Base URL", <CodeText key="url">{baseUrl}</CodeText>],
        ["Key", maskedKey ?? "none"],
        ["Enabled", enabled ? "yes" : "no"],
        ["Models", models.length === 0 ? "none" : <CodeText key="models">{models.map(({ name }) => name).join(", ")}</CodeText>],
      ]}
    />
  );
}
