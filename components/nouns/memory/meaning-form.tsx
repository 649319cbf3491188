"use client";

import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { spellHidden } from "@/components/kit/ui/reveal-hidden";
import shared from "@/components/kit/ui/shared.module.css";
import { providerResource } from "@/components/nouns/models/queries";
import type { EmbeddingModel } from "@/contracts/models";

type MeaningFormProps = { model: EmbeddingModel | null; disabled: boolean; onSave: (model: EmbeddingModel | null) => void };

/** The model whose embeddings find memories by meaning. */
export function MeaningForm({ model, disabled, onSave }: MeaningFormProps) {
  const [providerId, setProviderId] = useState(model?.providerId ?? "");
  const [name, setName] = useState(model?.model ?? "");
  const providers = (useQuery(providerResource.list()).data?.items ?? []).filter(({ kind }) => kind !== "anthropic");
  const isChanged = providerId !== (model?.providerId ?? "") || (providerId !== "" && name !== (model?.model ?? ""));
  const isWhole = providerId === "" || name.trim() !== "";
  return (
    <form
      className={shared.bar}
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && isWhole) onSave(providerId === "" ? null : { providerId, model: name.trim() });
      }}
    >
      <NativeSelect
        className={shared.field}
        label="Provider of embeddings"
        description="Searches find memories by their meaning, too. What is remembered is sent to it"
        value={providerId}
        disabled={disabled}
        data={[
          { value: "", label: "None: search by words" },
          ...providers.map(({ id, name }) => ({ value: id, label: spellHidden(name) })),
        ]}
        onChange={({ currentTarget }) => setProviderId(currentTarget.value)}
      />
      {providerId === "" ? null : (
        <TextInput
          className={shared.field}
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
        <Button type="submit" variant="default" disabled={disabled || !isWhole}>
          Save embedding model
        </Button>
      ) : null}
    </form>
  );
}
