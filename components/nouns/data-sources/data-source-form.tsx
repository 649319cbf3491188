"use client";

import { NativeSelect, PasswordInput, TextInput } from "@mantine/core";
import { EnabledField, NameField } from "@/components/kit/resources/resource-fields";
import { ResourceForm } from "@/components/kit/resources/resource-form";
import { useResource } from "@/components/kit/resources/use-resource";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { IntegerInput } from "@/components/kit/ui/forms/integer-input";
import {
  type DataSource,
  type DataSourceKind,
  dataSourceKinds,
  defaultPorts,
  type SslMode,
  sslModes,
} from "@/contracts/browser/tools/data-sources";
import { DataSourceDraft } from "@/contracts/tools/data-sources";
import { kindWords, sslWords } from "./data-source-words";
import classes from "./data-sources.module.css";
import { dataSourceResource } from "./queries";

type DataSourceFormProps = {
  /** The edited data source; null for a new one. */
  source: DataSource | null;
  onSaved: (saved: DataSource) => void;
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
  const { save } = useResource(dataSourceResource);
  return (
    <ResourceForm
      submit={source ? "Save" : "Add data source"}
      initialValues={toFields(source)}
      parse={(fields) => DataSourceDraft.safeParse(toDraft(fields))}
      save={(draft) => save(source, draft)}
      onSaved={onSaved}
      onCancel={onCancel}
    >
      {(form) => (
        <>
          <NameField form={form} description="Models and guard rules use it" placeholder="sales" maxLength={60} {...codeInputProps} />
          <NativeSelect
            label="Kind"
            data={dataSourceKinds.map((value) => ({ value, label: kindWords[value] }))}
            {...form.getInputProps("kind")}
          />
          <AutosizeTextarea
            label="Description"
            description="Tells models what the data source holds"
            placeholder="Orders and customers of the shop"
            rows={[1, 4]}
            maxLength={500}
            {...form.getInputProps("description")}
          />
          {form.values.kind === "sqlite" ? (
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
                <IntegerInput
                  label="Port"
                  placeholder={String(defaultPorts[form.values.kind])}
                  range={[1, 65_535]}
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
          <EnabledField form={form} off="Off hides the data source from all agents" />
        </>
      )}
    </ResourceForm>
  );
}

const toFields = (source: DataSource | null): Fields => ({
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
});

/** Drops the fields that the kind does not have. */
function toDraft({ host, port, database, username, password, sslMode, file, ...rest }: Fields) {
  if (rest.kind === "sqlite") return { ...rest, file };
  return { ...rest, host, port: port === "" ? null : Number(port), database, username, sslMode, ...(password === "" ? {} : { password }) };
}
