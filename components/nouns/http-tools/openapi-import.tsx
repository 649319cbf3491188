"use client";

import { TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { ChooseTextFile } from "@/components/kit/ui/forms/choose-text-file";
import { codeInputProps, urlInputProps } from "@/components/kit/ui/forms/code-input-props";
import { DrawerForm } from "@/components/kit/ui/overlays/drawer-form";
import { DrawerFormFooter } from "@/components/kit/ui/overlays/drawer-form-footer";
import { httpToolEndpoints, type OpenApiResult } from "@/contracts/browser/tools/http-tools";
import { type DocumentSource, OpenApiOperations } from "./openapi-operations";

/** Imports operations of an OpenAPI document: first the document, then the choice. */
export function OpenApiImport({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const [address, setAddress] = useState("");
  const [text, setText] = useState("");
  const [read, setRead] = useState<{ source: DocumentSource; result: OpenApiResult } | null>(null);
  const source: DocumentSource = address.trim() === "" ? { document: text } : { url: address.trim() };
  const reading = useMutation({
    meta: { showsError: true },
    mutationFn: (from: DocumentSource) => call(httpToolEndpoints.importOpenApi, { body: { ...from, dryRun: true } }),
    onSuccess: (result, from) => setRead({ source: from, result }),
  });
  if (read) return <OpenApiOperations {...read} onDone={onDone} onCancel={() => setRead(null)} />;
  return (
    <DrawerForm
      onSubmit={() => reading.mutate(source)}
      footer={
        <DrawerFormFooter
          error={reading.error ? toErrorSentence(reading.error) : null}
          submit="Read document"
          isSaving={reading.isPending}
          disabled={address.trim() === "" && text.trim() === ""}
          onCancel={onCancel}
        />
      }
    >
      <TextInput
        label="Address"
        description="OpenAPI 3.0 or 3.1, JSON or YAML. Handrail fetches it."
        placeholder="https://api.example.com/openapi.json"
        {...urlInputProps}
        data-autofocus
        value={address}
        onChange={(event) => {
          setAddress(event.currentTarget.value);
          reading.reset();
        }}
      />
      <AutosizeTextarea
        label="Or the document"
        placeholder="openapi: 3.1.0"
        {...codeInputProps}
        rows={[8, 18]}
        disabled={address.trim() !== ""}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          reading.reset();
        }}
      />
      <ChooseTextFile accept=".json,.yaml,.yml" onText={setText} />
    </DrawerForm>
  );
}
