"use client";

import { Alert, Anchor, Button, NativeSelect, PasswordInput, Switch, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconPlayerPlay } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { isApiProblem } from "@/components/kit/api/api-problem";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { fieldErrors, issueErrors } from "@/components/kit/api/field-errors";
import { useResource } from "@/components/kit/resources/use-resource";
import { urlInputProps } from "@/components/kit/ui/forms/code-input-props";
import { useUnshownErrors } from "@/components/kit/ui/forms/use-unshown-errors";
import { DrawerForm } from "@/components/kit/ui/overlays/drawer-form";
import { useUnsavedChanges } from "@/components/kit/ui/overlays/unsaved-changes";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { providerKinds } from "@/contracts/browser/models/models";
import { type LocalModelServer, ModelAccess, type ModelProvider, ModelProviderDraft } from "@/contracts/models/models";
import { ModelListField } from "./model-list-field";
import classes from "./models.module.css";
import { type ProviderFields, toModelAccess, toProviderDraft, toProviderFields } from "./provider-form-values";
import { findPreset, kindWords, providerPresets } from "./provider-presets";
import { providerResource } from "./queries";
import { TestResult } from "./test-result";
import { useModelTest, useOfferedModels } from "./use-try-provider";

type ProviderFormProps = {
  /** The edited provider; null for a new one. */
  provider: ModelProvider | null;
  preset: string | null;
  local: LocalModelServer | null;
  onDone: () => void;
};

/** Settings of a provider, with a test before anything is saved. */
export function ProviderForm({ provider, preset, local, onDone }: ProviderFormProps) {
  const form = useForm<ProviderFields>({ mode: "controlled", initialValues: toProviderFields(provider, preset, local) });
  useUnsavedChanges(form.isDirty());
  const resource = useResource(providerResource);
  const save = useMutation({ meta: { showsError: true }, mutationFn: (draft: ModelProviderDraft) => resource.save(provider, draft) });
  const offered = useOfferedModels();
  const test = useModelTest();
  const { models } = form.values;
  const [first] = models;

  /** Returns the access in the form; shows what is wrong with it otherwise. */
  const readAccess = (): ModelAccess | null => {
    const parsed = ModelAccess.safeParse(toModelAccess(form.getValues(), provider));
    form.clearErrors();
    if (!parsed.success) form.setErrors(issueErrors(parsed.error.issues));
    return parsed.success ? parsed.data : null;
  };
  const showRefusal = (error: unknown) => form.setErrors(refusedFields(error));
  const listModels = () => {
    const access = readAccess();
    if (access) offered.mutate(access, { onError: showRefusal });
  };
  const runTest = () => {
    const access = readAccess();
    if (access && first) test.mutate({ access, model: first.name }, { onError: showRefusal });
  };
  const submit = () => {
    const parsed = ModelProviderDraft.safeParse(toProviderDraft(form.getValues()));
    form.clearErrors();
    if (!parsed.success) return form.setErrors(issueErrors(parsed.error.issues));
    save.mutate(parsed.data, {
      onError: showRefusal,
      onSuccess: ({ name }) => {
        notifications.show({ message: spellHidden(`${name} is saved`) });
        onDone();
      },
    });
  };
  const choosePreset = (id: string) => {
    const chosen = findPreset(id);
    if (!chosen) return;
    const isNamed = form.values.name !== "" && !providerPresets.some(({ label }) => label === form.values.name);
    form.setValues({ kind: chosen.kind, baseUrl: chosen.baseUrl, ...(isNamed ? {} : { name: chosen.label }) });
    offered.reset();
    test.reset();
  };
  const body = useRef<HTMLDivElement>(null);
  const unshown = useUnshownErrors(Object.values(form.errors).map(String), () => body.current);
  const isSaidBelow = save.error !== null && (unshown.length > 0 || Object.keys(refusedFields(save.error)).length === 0);

  return (
    <DrawerForm
      body={body}
      onSubmit={submit}
      footer={
        <FormFooter
          model={first?.name ?? null}
          test={test}
          error={isSaidBelow ? save.error : null}
          isSaving={save.isPending}
          submitWords={provider ? "Save" : "Add provider"}
          onTest={runTest}
          onCancel={onDone}
        />
      }
    >
      {provider ? null : (
        <NativeSelect
          label="Provider"
          data={[{ value: "", label: "Another server" }, ...providerPresets.map(({ id, label }) => ({ value: id, label }))]}
          value={providerPresets.find(({ baseUrl }) => baseUrl === form.values.baseUrl)?.id ?? ""}
          onChange={(event) => choosePreset(event.currentTarget.value)}
          data-autofocus
        />
      )}
      <TextInput
        label="Name"
        maxLength={100}
        autoComplete="off"
        data-autofocus={provider !== null || undefined}
        {...form.getInputProps("name")}
      />
      <NativeSelect
        label="Protocol"
        data={providerKinds.map((value) => ({ value, label: kindWords[value] }))}
        {...form.getInputProps("kind")}
      />
      <TextInput
        label="Base URL"
        description="May be a private address. Redirects are not followed."
        placeholder="https://api.example.com/v1"
        {...urlInputProps}
        {...form.getInputProps("baseUrl")}
      />
      <KeyField form={form} provider={provider} />
      <ModelListField
        models={models}
        error={form.errors.models}
        offered={offered.data?.items ?? null}
        offers={local?.models ?? []}
        listError={offered.error}
        isListing={offered.isPending}
        onList={listModels}
        onChange={(changed) => {
          form.setFieldValue("models", changed);
          if (changed[0]?.name !== first?.name) test.reset();
        }}
      />
      <Switch label="Enabled" description="Disabled providers are never asked" {...form.getInputProps("enabled", { type: "checkbox" })} />
    </DrawerForm>
  );
}

type FormFooterProps = {
  /** The model that is tested; null when there is none. */
  model: string | null;
  test: ReturnType<typeof useModelTest>;
  error: unknown;
  isSaving: boolean;
  submitWords: string;
  onTest: () => void;
  onCancel: () => void;
};

function FormFooter({ model, test, error, isSaving, submitWords, onTest, onCancel }: FormFooterProps) {
  return (
    <div className={shared.stackClose}>
      <TestResult model={model} test={test} />
      {error ? (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {toErrorSentence(error)}
        </Alert>
      ) : null}
      <div className={shared.buttons}>
        <Button
          variant="default"
          className={classes.test}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          disabled={model === null}
          loading={test.isPending}
          onClick={onTest}
        >
          Test
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isSaving}>
          {submitWords}
        </Button>
      </div>
    </div>
  );
}

function KeyField({ form, provider }: { form: UseFormReturnType<ProviderFields>; provider: ModelProvider | null }) {
  const { kind, removesKey } = form.values;
  return (
    <>
      <PasswordInput
        label="Key"
        description={keyWords(provider, removesKey, kind === "openai_compatible")}
        autoComplete="new-password"
        {...form.getInputProps("key")}
      />
      {provider?.maskedKey ? (
        <Anchor
          component="button"
          type="button"
          size="sm"
          className={classes.removeKey}
          onClick={() => form.setFieldValue("removesKey", !removesKey)}
        >
          {removesKey ? "Keep the stored key" : "Remove the stored key"}
        </Anchor>
      ) : null}
    </>
  );
}

function keyWords(provider: ModelProvider | null, removesKey: boolean, isOptional: boolean): string {
  if (removesKey) return "The stored key is removed when you save.";
  if (provider?.maskedKey) return `Stored: ${provider.maskedKey}. Type another one to replace it.`;
  return isOptional ? "Stored encrypted. Local servers need none." : "Stored encrypted";
}

function refusedFields(error: unknown): Record<string, string> {
  if (isApiProblem(error) && error.problem.code === "conflict") return { name: error.message };
  return fieldErrors(error, (path) => path.split(".")[0] ?? path);
}
