"use client";

import { Alert, Button, Collapse, Switch, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconChevronDown, IconChevronRight, IconFlask } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { isApiProblem } from "@/components/kit/api/api-problem";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { fieldErrors, issueErrors } from "@/components/kit/api/field-errors";
import { useRefusal } from "@/components/kit/session/me";
import { FoldButton } from "@/components/kit/ui/fold-button";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { ChoiceField } from "@/components/kit/ui/forms/choice-field";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { IntegerInput } from "@/components/kit/ui/forms/integer-input";
import { DrawerForm } from "@/components/kit/ui/overlays/drawer-form";
import { useUnsavedChanges } from "@/components/kit/ui/overlays/unsaved-changes";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { applyCure } from "@/components/nouns/mcp-servers/apply-cure";
import { KeyValueField } from "@/components/nouns/mcp-servers/key-value-field";
import { type ServerFields, toServerDraft } from "@/components/nouns/mcp-servers/server-draft";
import { readAgain } from "@/components/nouns/mcp-servers/use-change-server";
import { TierField } from "@/components/nouns/tools/tier-field";
import { type McpServer, mcpServerEndpoints } from "@/contracts/browser/mcp/mcp-servers";
import { type McpCure, McpServerDraft, type McpTestResult } from "@/contracts/mcp/mcp-servers";
import classes from "./mcp-servers.module.css";
import { PinExpectations, PinGrants, PinTrust } from "./pin-fields";
import { ProgramFields } from "./program-fields";
import { SessionFields } from "./session-fields";
import { TestResult } from "./test-result";

type FieldsForm = UseFormReturnType<ServerFields>;
type ServerFormProps = {
  initial: ServerFields;
  /** The edited server; null for a new one. */
  server: McpServer | null;
  /** Content above the fields. */
  lead?: ReactNode;
  onSaved: (server: McpServer) => void;
  onCancel: () => void;
};

const transports = (mayRun: boolean) => [
  { value: "stdio", label: "stdio", disabled: !mayRun },
  { value: "streamable_http", label: "Streamable HTTP" },
  { value: "sse", label: "SSE (legacy)" },
];

/** Settings of a server, with a connection test before saving. */
export function ServerForm({ initial, server, lead, onSaved, onCancel }: ServerFormProps) {
  const runRefusal = useRefusal("mcp:run");
  const startsWithHttp = runRefusal !== null && server === null && initial.command === "";
  const initialValues: ServerFields = startsWithHttp ? { ...initial, transport: "streamable_http" } : initial;
  const form = useForm<ServerFields>({ mode: "controlled", initialValues });
  useUnsavedChanges(form.isDirty());
  const [showsMore, setShowsMore] = useState(false);
  const refusal = form.values.transport === "stdio" ? runRefusal : null;
  const test = useMutation({
    meta: { showsError: true },
    mutationFn: (draft: McpServerDraft) => call(mcpServerEndpoints.testDraft, { body: draft }),
    onError: (error) => form.setErrors(fieldErrorsOf(error)),
  });
  const save = useSaveServer(server, form, onSaved);

  /** Calls `use` with a valid draft; otherwise shows the errors at their fields. */
  const withDraft = (use: (draft: McpServerDraft) => void) => {
    const parsed = McpServerDraft.safeParse(toServerDraft(form.getValues()));
    if (parsed.success) {
      form.clearErrors();
      use(parsed.data);
      return;
    }
    const errors = issueErrors(parsed.error.issues, (path) => path.join("."));
    form.setErrors(errors);
    if (Object.keys(errors).some((path) => pathOfMore.test(path))) setShowsMore(true);
  };
  /** Allows the program what the sandbox kept from it, and tries again. */
  const allow = (cure: McpCure) => {
    const parsed = McpServerDraft.safeParse(toServerDraft(form.getValues()));
    if (!parsed.success) return;
    const draft = { ...parsed.data, ...applyCure(parsed.data, cure) };
    const { network, outsideSandbox } = draft;
    form.setValues({ network, outsideSandbox, allowedHosts: draft.allowedHosts.join("\n"), readablePaths: draft.readablePaths.join("\n") });
    test.mutate(draft);
  };

  return (
    <DrawerForm
      onSubmit={() => withDraft(save.mutate)}
      footer={
        <FormFooter
          test={test}
          problem={save.error ?? test.error}
          isSaving={save.isPending}
          isNew={server === null}
          refusal={refusal}
          onTest={() => withDraft(test.mutate)}
          onAllow={allow}
          onCancel={onCancel}
        />
      }
    >
      <RevealedText text={lead} />
      <TextInput
        label="Alias"
        description="Prefix of the tool names: alias__tool"
        {...codeInputProps}
        autoFocus
        data-autofocus
        {...form.getInputProps("alias")}
      />
      <TransportFields form={form} server={server} runRefusal={runRefusal} />
      <TierField
        hint="Core tools send their full schema with every model request, Extension tools one line."
        {...form.getInputProps("tier")}
      />
      <SessionFields form={form} />
      <Switch
        label="Tier per tool"
        description="Off: all tools have the tier above. On: each tool may have its own"
        {...form.getInputProps("tierPerTool", { type: "checkbox" })}
      />
      <PinTrust form={form} hints={test.data?.hints} />
      <PinGrants form={form} />
      <Switch
        label="Enabled"
        description="Off keeps the settings and closes the connection"
        {...form.getInputProps("enabled", { type: "checkbox" })}
      />
      <MoreSettings form={form} server={server} isOpen={showsMore} onToggle={() => setShowsMore(!showsMore)} />
    </DrawerForm>
  );
}

/** Paths of the fields among "More settings". */
const pathOfMore = /^(cwd|allowedTools|excludedTools|expected|packageDigest|connectTimeoutSeconds|callTimeoutSeconds)/;

function useSaveServer(server: McpServer | null, form: FieldsForm, onSaved: (server: McpServer) => void) {
  const client = useQueryClient();
  return useMutation({
    meta: { showsError: true },
    mutationFn: (draft: McpServerDraft) =>
      server
        ? call(mcpServerEndpoints.update, { params: { id: server.id }, body: draft }, { version: server.version })
        : call(mcpServerEndpoints.create, { body: draft }),
    onError: (error) => form.setErrors(fieldErrorsOf(error)),
    onSuccess: async (saved) => {
      notifications.show({
        message: server ? `${saved.alias} saved` : `${saved.alias} added. Connecting…`,
      });
      await readAgain(client);
      onSaved(saved);
    },
  });
}

type FormFooterProps = {
  test: { data: McpTestResult | undefined; isPending: boolean };
  problem: unknown;
  isSaving: boolean;
  isNew: boolean;
  /** Reason against a test and an addition; null when both may be. */
  refusal: string | null;
  onTest: () => void;
  onAllow: (cure: McpCure) => void;
  onCancel: () => void;
};

function FormFooter({ test, problem, isSaving, isNew, refusal, onTest, onAllow, onCancel }: FormFooterProps) {
  return (
    <div className={classes.footer}>
      {test.data && !test.isPending ? <TestResult result={test.data} onAllow={onAllow} /> : null}
      {problem ? (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {toErrorSentence(problem)}
        </Alert>
      ) : null}
      <div className={classes.buttons}>
        <DisabledReason reason={refusal}>
          <Button
            variant="default"
            leftSection={<IconFlask size={16} aria-hidden />}
            loading={test.isPending}
            disabled={isSaving || refusal !== null}
            onClick={onTest}
          >
            Test
          </Button>
        </DisabledReason>
        <span className={classes.spring} />
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <DisabledReason reason={isNew ? refusal : null}>
          <Button type="submit" loading={isSaving} disabled={isNew && refusal !== null}>
            {isNew ? "Add server" : "Save"}
          </Button>
        </DisabledReason>
      </div>
    </div>
  );
}

type TransportFieldsProps = { form: FieldsForm; server: McpServer | null; runRefusal: string | null };

/** The transport, with the program or the address that belongs to it. */
function TransportFields({ form, server, runRefusal }: TransportFieldsProps) {
  const { transport } = form.values;
  return (
    <>
      <ChoiceField label="Transport" fullWidth data={transports(runRefusal === null)} {...form.getInputProps("transport")}>
        {runRefusal === null ? null : (
          <p className={shared.hint}>stdio starts a program, which needs the permission mcp:run. {runRefusal}</p>
        )}
      </ChoiceField>

      {transport === "stdio" ? (
        <ProgramFields form={form} unconfined={server?.unconfined ?? null} />
      ) : (
        <>
          <TextInput label="URL" placeholder="https://example.com/mcp" {...codeInputProps} {...form.getInputProps("url")} />
          <KeyValueField
            form={form}
            field="headers"
            label="Headers"
            description="Sent with every request and stored encrypted. $env:NAME reads Handrail's environment; NAME begins with MCP_ or is listed in HANDRAIL_MCP_VARIABLES."
            what="header"
          />
        </>
      )}
    </>
  );
}

type MoreSettingsProps = { form: FieldsForm; server: McpServer | null; isOpen: boolean; onToggle: () => void };

function MoreSettings({ form, server, isOpen, onToggle }: MoreSettingsProps) {
  const isStdio = form.values.transport === "stdio";
  return (
    <div>
      <FoldButton
        isOpen={isOpen}
        onToggle={onToggle}
        leftSection={isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
      >
        More settings
      </FoldButton>
      <Collapse expanded={isOpen}>
        <div className={classes.more}>
          <ToolLists form={form} />
          <PinExpectations form={form} isStdio={isStdio} server={server} />
          {isStdio ? (
            <TextInput
              label="Working folder"
              description="Empty: the server's own folder"
              {...codeInputProps}
              {...form.getInputProps("cwd")}
            />
          ) : null}
          <div className={classes.two}>
            <IntegerInput label="Connect timeout" suffix=" s" range={[1, 300]} {...form.getInputProps("connectTimeoutSeconds")} />
            <IntegerInput label="Call timeout" suffix=" s" range={[1, 300]} {...form.getInputProps("callTimeoutSeconds")} />
          </div>
        </div>
      </Collapse>
    </div>
  );
}

/** The tools that are offered, and those that never are. */
function ToolLists({ form }: { form: FieldsForm }) {
  const { allowsAllTools, allowedTools } = form.values;
  return (
    <>
      <ChoiceField
        label="Allowed tools"
        data={[
          { value: "all", label: "All" },
          { value: "named", label: "Only these" },
        ]}
        value={allowsAllTools ? "all" : "named"}
        onChange={(choice) => form.setFieldValue("allowsAllTools", choice === "all")}
      />
      {allowsAllTools ? null : (
        <AutosizeTextarea
          aria-label="Names of the allowed tools"
          description={allowedTools.trim() === "" ? "Empty: no tool is allowed." : "Names as the server lists them, one per line."}
          {...codeInputProps}
          rows={[2, 8]}
          {...form.getInputProps("allowedTools")}
        />
      )}
      <AutosizeTextarea
        label="Excluded tools"
        description="Left out in any case. Names as the server lists them, one per line."
        {...codeInputProps}
        rows={[1, 8]}
        {...form.getInputProps("excludedTools")}
      />
    </>
  );
}

function fieldErrorsOf(error: unknown): Record<string, string> {
  if (isApiProblem(error) && error.problem.code === "conflict" && !error.problem.errors) return { alias: error.message };
  return fieldErrors(error);
}
