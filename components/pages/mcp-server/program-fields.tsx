import { Alert, Switch, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMe } from "@/components/kit/session/me";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { ChoiceField } from "@/components/kit/ui/forms/choice-field";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { errorUnder } from "@/components/nouns/mcp-servers/form-errors";
import { KeyValueField } from "@/components/nouns/mcp-servers/key-value-field";
import type { ServerFields } from "@/components/nouns/mcp-servers/server-draft";
import classes from "./mcp-servers.module.css";

type ProgramFieldsProps = {
  form: UseFormReturnType<ServerFields>;
  /** Why the saved server's program runs without the sandbox; null when sandboxed, and for a new server. */
  unconfined: string | null;
};

const networks = [
  { value: "open", label: "Any public host" },
  { value: "hosts", label: "Named hosts" },
  { value: "none", label: "None" },
];

/** Fields of a stdio server, whose program runs on Handrail's machine. */
export function ProgramFields({ form, unconfined }: ProgramFieldsProps) {
  const ownersOnly = useMe().role === "owner" ? null : "Only an owner may run a program outside the sandbox.";
  return (
    <>
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} className={classes.warning}>
        {unconfined ??
          "This starts a program on Handrail's machine. In the sandbox it reaches its own folder, its package, the paths in its settings, and the network below. Name only programs that you trust."}
      </Alert>
      <TextInput label="Command" description="Executable only" placeholder="npx" {...codeInputProps} {...form.getInputProps("command")} />
      <AutosizeTextarea
        label="Arguments"
        description='One argument per line. With line breaks: "first\nsecond" in quotes. ${MCP_NAME} reads the environment.'
        {...codeInputProps}
        rows={[2, 10]}
        {...form.getInputProps("args")}
        error={form.errors.args ?? errorUnder(form.errors, "args.")}
      />
      <KeyValueField
        form={form}
        field="env"
        label="Environment"
        description="Stored encrypted. $env:NAME reads Handrail's environment; NAME begins with MCP_ or is listed in HANDRAIL_MCP_VARIABLES."
        what="variable"
      />
      <ChoiceField
        label="Network"
        hint="Local and private addresses are reachable only when named below."
        fullWidth
        data={networks}
        {...form.getInputProps("network")}
      />
      {form.values.network === "none" ? null : (
        <AutosizeTextarea
          label={form.values.network === "hosts" ? "Allowed hosts" : "Allowed private hosts"}
          description="One per line: example.com, *.example.com or localhost:5432. A private address needs its port, and is reached by any protocol."
          {...codeInputProps}
          rows={[1, 8]}
          {...form.getInputProps("allowedHosts")}
          error={form.errors.allowedHosts ?? errorUnder(form.errors, "allowedHosts.")}
        />
      )}
      <AutosizeTextarea
        label="May read"
        description="Files and folders beside its own package, one per line: ~/.kube/config or /srv/data. Paths among its arguments are visible already."
        {...codeInputProps}
        rows={[1, 8]}
        {...form.getInputProps("readablePaths")}
        error={form.errors.readablePaths ?? errorUnder(form.errors, "readablePaths.")}
      />
      <DisabledReason reason={ownersOnly}>
        <Switch
          label="Outside the sandbox"
          description="The program runs with all rights of Handrail's user. For servers that need the machine itself, such as Docker's socket."
          disabled={ownersOnly !== null}
          {...form.getInputProps("outsideSandbox", { type: "checkbox" })}
        />
      </DisabledReason>
    </>
  );
}
