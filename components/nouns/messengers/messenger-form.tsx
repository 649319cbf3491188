"use client";

import { NativeSelect, PasswordInput, Select, Switch, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { EnabledField, NameField } from "@/components/kit/resources/resource-fields";
import { ResourceForm } from "@/components/kit/resources/resource-form";
import { useResource } from "@/components/kit/resources/use-resource";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { IntegerInput } from "@/components/kit/ui/forms/integer-input";
import { nameChoices } from "@/components/kit/ui/forms/name-choices";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { agentQueries } from "@/components/nouns/agents/queries";
import { providerResource } from "@/components/nouns/models/queries";
import { messengerPlatforms, type PlatformField, platformFacts } from "@/contracts/browser/messengers/messenger-platforms";
import { chatApprovalRules, type Messenger, type MessengerDraft, writerRules } from "@/contracts/browser/messengers/messengers";
import { MessengerDraft as Draft } from "@/contracts/messengers/messengers";
import { approvalWords, transportWords, writerWords } from "./messenger-words";
import { PlatformSteps } from "./platform-steps";
import { messengerResource, toDraft } from "./queries";

type MessengerFormProps = {
  /** The edited messenger; null for a new one. */
  messenger: Messenger | null;
  onSaved: (saved: Messenger) => void;
  onCancel: () => void;
};

const newDraft: MessengerDraft = {
  name: "",
  platform: "telegram",
  transport: "connection",
  agentId: null,
  settings: {},
  secrets: {},
  writers: "contacts",
  needsMention: true,
  doneSign: false,
  streams: true,
  joinSeconds: 0,
  approvals: "not_critical",
  speechModel: null,
  enabled: true,
};

/** Settings of a messenger. Stored secrets are never shown; an empty one stays. */
export function MessengerForm({ messenger, onSaved, onCancel }: MessengerFormProps) {
  const { save } = useResource(messengerResource);
  return (
    <ResourceForm
      submit={messenger ? "Save" : "Add messenger"}
      initialValues={messenger ? toDraft(messenger) : newDraft}
      parse={(fields) => Draft.safeParse(fields)}
      fieldOf={(path) => path.join(".")}
      save={(draft) => save(messenger, draft)}
      onSaved={onSaved}
      onCancel={onCancel}
    >
      {(form) => (
        <>
          <NameField form={form} placeholder="Support bot" maxLength={60} />
          <PlatformFields form={form} messenger={messenger} />
          <AnswerFields form={form} />
          <SpeechFields form={form} />
          <EnabledField form={form} off="Off takes no messages and keeps the settings" />
        </>
      )}
    </ResourceForm>
  );
}

type Form = UseFormReturnType<MessengerDraft>;

function PlatformFields({ form, messenger }: { form: Form; messenger: Messenger | null }) {
  const { platform, transport } = form.values;
  const { transports, fields } = platformFacts[platform];
  const choosePlatform = (value: string) => {
    const chosen = messengerPlatforms.find((known) => known === value) ?? "telegram";
    const [first = "webhook"] = platformFacts[chosen].transports;
    form.setValues({ platform: chosen, transport: first, settings: {}, secrets: {} });
  };
  return (
    <>
      <NativeSelect
        label="Platform"
        data={messengerPlatforms.map((value) => ({ value, label: spellHidden(platformFacts[value].title) }))}
        value={platform}
        disabled={messenger !== null}
        onChange={(event) => choosePlatform(event.currentTarget.value)}
      />
      {transports.length > 1 ? (
        <NativeSelect
          label="Transport"
          data={transports.map((value) => ({ value, label: transportWords[value] }))}
          {...form.getInputProps("transport")}
        />
      ) : null}
      <PlatformSteps platform={platform} transport={transport} address={messenger?.callbackAddress ?? null} />
      {fields
        .filter(({ neededBy }) => !neededBy || neededBy.includes(transport))
        .map((field) => (
          <PlatformInput key={field.name} field={field} form={form} isKept={messenger?.secretNames.includes(field.name) === true} />
        ))}
    </>
  );
}

function PlatformInput({ field, form, isKept }: { field: PlatformField; form: Form; isKept: boolean }) {
  const { name, label, description, isSecret, isOptional } = field;
  const path = `${isSecret ? "secrets" : "settings"}.${name}`;
  const props = form.getInputProps(path);
  const value = typeof props.value === "string" ? props.value : "";
  const shown = { ...props, value, label: isOptional ? `${label} (optional)` : label };
  if (!isSecret) return <TextInput description={spellHidden(description)} {...codeInputProps} {...shown} />;
  const hint = spellHidden(description);
  const kept = isKept ? "Stored encrypted. Leave empty to keep it." : hint;
  if (name === "serviceAccount") return <AutosizeTextarea description={kept} rows={[3, 8]} {...codeInputProps} {...shown} />;
  return <PasswordInput description={kept} autoComplete="new-password" {...shown} />;
}

function AnswerFields({ form }: { form: Form }) {
  const agents = useQuery(agentQueries.list());
  return (
    <>
      <Select
        label="Agent"
        description="Answers everywhere, unless a chat has an agent of its own"
        placeholder="The default agent"
        data={nameChoices(agents.data?.items)}
        clearable
        {...form.getInputProps("agentId")}
      />
      <NativeSelect
        label="Who may write"
        data={writerRules.map((value) => ({ value, label: writerWords[value] }))}
        {...form.getInputProps("writers")}
      />
      <NativeSelect
        label="Approvals in the chat"
        description="Linked members decide there what they may decide in the console"
        data={chatApprovalRules.map((value) => ({ value, label: approvalWords[value] }))}
        {...form.getInputProps("approvals")}
      />
      <IntegerInput
        label="Join messages"
        description="Seconds to wait for more messages of the same person"
        range={[0, 30]}
        {...form.getInputProps("joinSeconds")}
      />
      <Switch
        label="Needs a mention"
        description="In groups the agent answers only when it is mentioned or replied to"
        {...form.getInputProps("needsMention", { type: "checkbox" })}
      />
      <Switch
        label="Show the answer while it is written"
        description="Where the platform can edit messages"
        {...form.getInputProps("streams", { type: "checkbox" })}
      />
      <Switch
        label="Done sign"
        description="Adds a reaction to a message when it is answered"
        {...form.getInputProps("doneSign", { type: "checkbox" })}
      />
    </>
  );
}

function SpeechFields({ form }: { form: Form }) {
  const providers = useQuery(providerResource.list());
  const chosen = form.values.speechModel;
  const choose = (providerId: string) =>
    form.setFieldValue("speechModel", providerId === "" ? null : { providerId, model: chosen?.model ?? "" });
  return (
    <>
      <NativeSelect
        label="Voice messages"
        description="Written down by a model of this provider; they are sent to it"
        data={[{ value: "", label: "Not written down" }, ...nameChoices(providers.data?.items)]}
        value={chosen?.providerId ?? ""}
        error={form.errors.speechModel}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {chosen ? (
        <TextInput
          label="Speech model"
          description="The provider's name of the model"
          placeholder="whisper-1"
          maxLength={200}
          {...codeInputProps}
          {...form.getInputProps("speechModel.model")}
        />
      ) : null}
    </>
  );
}
