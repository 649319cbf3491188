"use client";

import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { nameChoices } from "@/components/kit/ui/forms/name-choices";
import shared from "@/components/kit/ui/shared.module.css";
import { providerResource } from "@/components/nouns/models/queries";
import type { NamedModel } from "@/contracts/models/models";

type MeaningFormProps = { model: NamedModel | null; disabled: boolean; onSave: (model: NamedModel | null) => void };

/** The model whose embeddings find memories by meaning. */
export function MeaningForm({ model, disabled, onSave }: MeaningFormProps) {
  const [providerId, setProviderId] = useState(model?.providerId ?? "");
  const [name, setName] = useState(model?.model ?? "");
  const providers = (useQuery(providerResource.list()).data?.items ?? []).filter(({ kind }) => kind !== "anthropic");
  const isChanged = providerId !== (model?.providerId ?? "") || (providerId !== "" && name !== (model?.model ?? ""));
  const isListed = providerId === "" || providers.some(({ id }) => id === providerId);
  const isWhole = providerId === "" || name.trim() !== "";
  return (
    <form
      className={shared.stack}
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && isWhole) onSave(providerId === "" ? null : { providerId, model: name.trim() });
      }}
    >
      <NativeSelect
        label="Provider of embeddings"
        description="Searches find memories by their meaning, too. What is remembered is sent to it"
        value={providerId}
        disabled={disabled}
        data={[
          { value: "", label: "None: search by words" },
          ...nameChoices(providers),
          // Without the right to see the providers, the choice of one is still shown.
          ...(isListed ? [] : [{ value: providerId, label: "The chosen provider" }]),
        ]}
        onChange={({ currentTarget }) => setProviderId(currentTarget.value)}
      />
      {providerId === "" ? null : (
        <TextInput
          label="Embedding model"
          description="The provider's name of the model"
          placeholder="text-embedding-3-small"
          maxLength={200}
          value={name}
          disabled={disabled}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      )}
      {isChanged ? (
        <Button className={shared.atStart} type="submit" variant="default" disabled={disabled || !isWhole}>
          Save embedding model
        </Button>
      ) : null}
    </form>
  );
}
