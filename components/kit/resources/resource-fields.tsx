import { Switch, TextInput, type TextInputProps } from "@mantine/core";

/** A form with the field `Name`. */
type FormWith<Name extends string> = { getInputProps: (path: Name, options?: { type: "checkbox" }) => object };

/** The name of a row, which takes the focus of its form. */
export function NameField({ form, ...props }: { form: FormWith<"name"> } & Omit<TextInputProps, "form">) {
  return <TextInput label="Name" maxLength={100} autoComplete="off" data-autofocus {...props} {...form.getInputProps("name")} />;
}

/** Switches a row on or off; `off` is a sentence about a row that is off. */
export function EnabledField({ form, off }: { form: FormWith<"enabled">; off: string }) {
  return <Switch label="On" description={off} {...form.getInputProps("enabled", { type: "checkbox" })} />;
}
