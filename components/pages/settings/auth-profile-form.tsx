"use client";

import { MultiSelect, NativeSelect, PasswordInput, Switch, TagsInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { fieldErrors, issueErrors } from "@/components/kit/api/field-errors";
import { codeInputProps, urlInputProps } from "@/components/kit/ui/forms/code-input-props";
import { InlineFormButtons } from "@/components/kit/ui/forms/form-buttons";
import { FormError } from "@/components/kit/ui/forms/form-error";
import { LateForm } from "@/components/kit/ui/forms/late-form";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { authProfileQueries } from "@/components/nouns/http-tools/queries";
import { type AuthProfile, authProfileEndpoints, fetchMethods } from "@/contracts/browser/tools/auth-profiles";
import { AuthProfileDraft } from "@/contracts/tools/auth-profiles";

type Fields = Pick<AuthProfile, "name" | "kind" | "origin" | "allowsFetch" | "fetchPaths" | "fetchMethods"> & {
  parameter: string;
  username: string;
  secret: string;
};

const kinds = [
  { value: "bearer", label: "Bearer token" },
  { value: "header", label: "Header" },
  { value: "basic", label: "User name and password" },
  { value: "query", label: "Query parameter" },
];

/** Settings of an auth profile; the stored secret is never shown. */
export function AuthProfileForm({ profile, onDone }: { profile: AuthProfile | null; onDone: () => void }) {
  const client = useQueryClient();
  const form = useForm<Fields>({
    mode: "controlled",
    initialValues: {
      name: profile?.name ?? "",
      kind: profile?.kind ?? "bearer",
      origin: profile?.origin ?? "",
      parameter: profile?.parameter ?? "",
      username: profile?.username ?? "",
      secret: "",
      allowsFetch: profile?.allowsFetch ?? false,
      fetchPaths: profile?.fetchPaths ?? [],
      fetchMethods: profile?.fetchMethods ?? [],
    },
  });
  const { kind, allowsFetch, fetchPaths } = form.values;
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: (body: AuthProfileDraft) =>
      profile
        ? call(authProfileEndpoints.update, { params: { id: profile.id }, body }, { version: profile.version })
        : call(authProfileEndpoints.create, { body }),
    onError: (error) => form.setErrors(fieldErrors(error)),
    onSuccess: async ({ name }) => {
      notifications.show({ message: spellHidden(`${name} is saved`) });
      await client.invalidateQueries({ queryKey: authProfileQueries.list().queryKey });
      onDone();
    },
  });
  const submit = form.onSubmit(({ secret, parameter, username, ...rest }) => {
    const named = rest.kind === "header" || rest.kind === "query";
    const parsed = AuthProfileDraft.safeParse({
      ...rest,
      parameter: named ? parameter : null,
      username: rest.kind === "basic" ? username : null,
      ...(secret === "" ? {} : { secret }),
    });
    if (parsed.success) save.mutate(parsed.data);
    else form.setErrors(issueErrors(parsed.error.issues));
  });
  return (
    <LateForm className={shared.story} onSubmit={submit} noValidate>
      <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps("name")} />
      <TextInput
        label="Origin"
        description="The only place that receives the secret"
        placeholder="https://api.example.com"
        {...urlInputProps}
        {...form.getInputProps("origin")}
      />
      <NativeSelect label="Kind" data={kinds} {...form.getInputProps("kind")} />
      {kind === "header" || kind === "query" ? (
        <TextInput
          label={kind === "header" ? "Header" : "Parameter"}
          placeholder={kind === "header" ? "X-Api-Key" : "api_key"}
          {...codeInputProps}
          {...form.getInputProps("parameter")}
        />
      ) : null}
      {kind === "basic" ? <TextInput label="User name" autoComplete="off" {...form.getInputProps("username")} /> : null}
      <PasswordInput
        label={kind === "basic" ? "Password" : "Secret"}
        description={profile ? "Stored. Type another one to replace it." : "Stored encrypted"}
        autoComplete="new-password"
        {...form.getInputProps("secret")}
      />
      <Switch
        label="Agents may use it in url_fetch"
        description="The secret itself stays hidden"
        {...form.getInputProps("allowsFetch", { type: "checkbox" })}
      />
      {allowsFetch ? (
        <>
          <TagsInput
            label="Paths"
            description="Where url_fetch may send it, with what lies below. Empty: everywhere at the origin"
            placeholder={fetchPaths.length > 0 ? "" : "/v1/reports"}
            {...codeInputProps}
            {...form.getInputProps("fetchPaths")}
          />
          <MultiSelect label="Methods" description="Empty: all" data={[...fetchMethods]} {...form.getInputProps("fetchMethods")} />
        </>
      ) : null}
      <FormError error={save.error} />
      <InlineFormButtons submit={profile ? "Save" : "Add auth profile"} isSaving={save.isPending} onCancel={onDone} />
    </LateForm>
  );
}
