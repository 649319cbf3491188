"use client";

import { NativeSelect, NumberInput, PasswordInput, Switch, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isApiProblem } from "@/components/api/api-problem";
import { call } from "@/components/api/call";
import { toErrorSentence } from "@/components/api/error-sentence";
import { fieldErrors } from "@/components/api/field-errors";
import { codeInputProps } from "@/components/ui/code-input-props";
import { DrawerForm } from "@/components/ui/drawer-form";
import { DrawerFormFooter } from "@/components/ui/drawer-form-footer";
import { spellHidden } from "@/components/ui/reveal-hidden";
import {
  type DataSource,
  type DataSourceKind,
  dataSourceEndpoints,
  dataSourceKinds,
  defaultPorts,
  type SslMode,
  sslModes,
} from "@/contracts/browser/data-sources";
import { DataSourceDraft } from "@/contracts/data-sources";
import { kindWords, sslWords } from "./data-source-words";
import classes from "./data-sources.module.css";
import { dataSourceQueries } from "./queries";

type DataSourceFormProps = {
  /** The edited data source; null for a new one. */
  source: DataSource | null;
  onSaved: (id: string) => void;
  onCancel: () => void;
};

type Fields = {
  name: string;
  kind: DataSourceKind;
  description: string;
  host: string;
  port: number | string;
  database: string;
  username: string;
  password: string;
  sslMode: SslMode;
  file: string;
  enabled: boolean;
};

/** Settings of a data source; the stored password is never shown. */
export function DataSourceForm({ source, onSaved, onCancel }: DataSourceFormProps) {
  const client = useQueryClient();
  const form = useForm<Fields>({
    mode: "controlled",
    initialValues: {
      name: source?.name ?? "",
      kind: source?.kind ?? "postgresql",
      description: source?.description ?? "",
      host: source?.host ?? "",
      port: source?.port ?? "",
      database: source?.database ?? "",
      username: source?.username ?? "",
      password: "",
      sslMode: source?.sslMode ?? "disable",
      file: source?.file ?? "",
      enabled: source?.enabled ?? true,
    },
  });
  const { kind } = form.values;
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: (body: DataSourceDraft) =>
      source
        ? call(dataSourceEndpoints.update, { params: { id: source.id }, body }, { version: source.version })
        : call(dataSourceEndpoints.create, { body }),
    onError: (error) => form.setErrors(fieldErrorsOf(error)),
    onSuccess: async ({ id, name }) => {
      notifications.show({ message: spellHidden(`${name} is saved`) });
      await client.invalidateQueries({ queryKey: dataSourceQueries.all() });
      onSaved(id);
    },
  });
  const submit = () => {
    const parsed = DataSourceDraft.safeParse(toDraft(form.getValues()));
    form.clearErrors();
    if (parsed.success) save.mutate(parsed.data);
    else form.setErrors(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [String(path[0]), message])));
  };
  const saidBelow = save.error !== null && Object.keys(fieldErrorsOf(save.error)).length === 0;

  return (
    <DrawerForm
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      footer={
        <DrawerFormFooter
          error={saidBelow ? toErrorSentence(save.error) : null}
          submit={source ? "Save" : "Add data source"}
          isSaving={save.isPending}
          onCancel={onCancel}
        />
      }
    >
      <TextInput
        label="Name"
        description="Models and guard rules use it"
        placeholder="sales"
        maxLength={60}
        {...codeInputProps}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <NativeSelect
        label="Kind"
        data={dataSourceKinds.map((value) => ({ value, label: kindWords[value] }))}
        {...form.getInputProps("kind")}
      />
      <Textarea
        label="Description"
        description="Tells models what the data source holds"
        placeholder="Orders and customers of the shop"
        autosize
        minRows={1}
        maxRows={4}
        maxLength={500}
        {...form.getInputProps("description")}
      />
      {kind === "sqlite" ? (
        <TextInput
          label="File"
          description="Absolute path on Handrail's machine, opened read-only"
          placeholder="/srv/data/sales.db"
          {...codeInputProps}
          {...form.getInputProps("file")}
        />
      ) : (
        <>
          <div className={classes.server}>
            <TextInput label="Host" placeholder="db.internal" {...codeInputProps} {...form.getInputProps("host")} />
            <NumberInput
              label="Port"
              placeholder={String(defaultPorts[kind])}
              min={1}
              max={65_535}
              allowDecimal={false}
              allowNegative={false}
              hideControls
              {...form.getInputProps("port")}
            />
          </div>
          <TextInput label="Database" placeholder="sales" {...codeInputProps} {...form.getInputProps("database")} />
          <TextInput
            label="User"
            description="Give Handrail a user that may only read"
            placeholder="reader"
            {...codeInputProps}
            {...form.getInputProps("username")}
          />
          <PasswordInput
            label="Password"
            description={source?.hasPassword ? "Stored encrypted. Leave empty to keep it." : "Stored encrypted and never shown"}
            autoComplete="new-password"
            {...form.getInputProps("password")}
          />
          <NativeSelect
            label="TLS"
            data={sslModes.map((value) => ({ value, label: sslWords[value] }))}
            {...form.getInputProps("sslMode")}
          />
        </>
      )}
      <Switch label="On" description="Off hides the data source from all agents" {...form.getInputProps("enabled", { type: "checkbox" })} />
    </DrawerForm>
  );
}

/** Drops the fields that the kind does not have. */
function toDraft({ host, port, database, username, password, sslMode, file, ...rest }: Fields) {
  if (rest.kind === "sqlite") return { ...rest, file };
  return { ...rest, host, port: port === "" ? null : Number(port), database, username, sslMode, ...(password === "" ? {} : { password }) };
}

function fieldErrorsOf(error: unknown): Record<string, string> {
  if (isApiProblem(error) && error.problem.code === "conflict") return { name: error.message };
  return fieldErrors(error, (path) => path.split(".")[0] ?? path);
}
