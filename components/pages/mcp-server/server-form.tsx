"use client";

import { Alert, Button, Collapse, NumberInput, SegmentedControl, Switch, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconChevronDown, IconChevronRight, IconFlask } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { isApiProblem } from "@/components/kit/api/api-problem";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { fieldErrors } from "@/components/kit/api/field-errors";
import { useRefusal } from "@/components/kit/session/me";
import { codeInputProps } from "@/components/kit/ui/code-input-props";
import { DisabledReason } from "@/components/kit/ui/disabled-reason";
import { DrawerForm } from "@/components/kit/ui/drawer-form";
import { RevealedText } from "@/components/kit/ui/revealed-text";
import { applyCure } from "@/components/nouns/mcp-servers/apply-cure";
import { errorsByName } from "@/components/nouns/mcp-servers/form-errors";
import { KeyValueRows } from "@/components/nouns/mcp-servers/key-value-rows";
import { type ServerFields, toServerDraft } from "@/components/nouns/mcp-servers/server-draft";
import { readAgain } from "@/components/nouns/mcp-servers/use-change-server";
import { type McpServer, mcpServerEndpoints } from "@/contracts/browser/mcp-servers";
import { type ToolTier, toolTiers } from "@/contracts/browser/tools";
import { type McpCure, McpServerDraft } from "@/contracts/mcp-servers";
import classes from "./mcp-servers.module.css";
import { PinExpectations, PinGrants, PinTrust } from "./pin-fields";
import { ProgramFields } from "./program-fields";
import { SessionFields } from "./session-fields";
import { TestResult } from "./test-result";

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
const tiers = toolTiers.toReversed().map((tier) => ({ value: tier, label: tier === "core" ? "Core" : "Extension" }));

/** Settings of a server, with a connection test before saving. */
export function ServerForm({ initial, server, lead, onSaved, onCancel }: ServerFormProps) {
  const client = useQueryClient();
  const runRefusal = useRefusal("mcp:run");
  const startsWithHttp = runRefusal !== null && server === null && initial.command === "";
  const initialValues: ServerFields = startsWithHttp ? { ...initial, transport: "streamable_http" } : initial;
  const form = useForm<ServerFields>({ mode: "controlled", initialValues });
  const [showsMore, setShowsMore] = useState(false);
  const { values } = form;
  const isStdio = values.transport === "stdio";
  const refusal = isStdio ? runRefusal : null;

  const test = useMutation({
    meta: { showsError: true },
    mutationFn: (draft: McpServerDraft) => call(mcpServerEndpoints.testDraft, { body: draft }),
    onError: (error) => form.setErrors(fieldErrorsOf(error)),
  });
  const save = useMutation({
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

  /** Calls `use` with a valid draft; otherwise shows the errors at their fields. */
  const withDraft = (use: (draft: McpServerDraft) => void) => {
    const parsed = McpServerDraft.safeParse(toServerDraft(form.getValues()));
    if (parsed.success) {
      form.clearErrors();
      use(parsed.data);
      return;
    }
    const errors = Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join("."), issue.message]));
    form.setErrors(errors);
    if (
      Object.keys(errors).some((path) =>
        /^(cwd|allowedTools|excludedTools|expected|packageDigest|connectTimeoutSeconds|callTimeoutSeconds)/.test(path),
      )
    )
      setShowsMore(true);
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
  const problem = save.error ?? test.error;

  return (
    <DrawerForm
      onSubmit={(event) => {
        event.preventDefault();
        withDraft(save.mutate);
      }}
      footer={
        <div className={classes.footer}>
          {test.data && !test.isPending ? <TestResult result={test.data} onAllow={allow} /> : null}
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
                disabled={save.isPending || refusal !== null}
                onClick={() => withDraft(test.mutate)}
              >
                Test
              </Button>
            </DisabledReason>
            <span className={classes.spring} />
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
            <DisabledReason reason={server ? null : refusal}>
              <Button type="submit" loading={save.isPending} disabled={!server && refusal !== null}>
                {server ? "Save" : "Add server"}
              </Button>
            </DisabledReason>
          </div>
        </div>
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
      <div>
        <span className={classes.legend} id="transport-label">
          Transport
        </span>
        <SegmentedControl
          fullWidth
          aria-labelledby="transport-label"
          data={transports(runRefusal === null)}
          {...form.getInputProps("transport")}
        />
        {runRefusal === null ? null : (
          <p className={classes.hint}>stdio starts a program, which needs the permission mcp:run. {runRefusal}</p>
        )}
      </div>

      {isStdio ? (
        <ProgramFields form={form} unconfined={server?.unconfined ?? null} />
      ) : (
        <>
          <TextInput label="URL" placeholder="https://example.com/mcp" {...codeInputProps} {...form.getInputProps("url")} />
          <KeyValueRows
            label="Headers"
            description="Sent with every request and stored encrypted. $env:NAME reads Handrail's environment; NAME begins with MCP_ or is listed in HANDRAIL_MCP_VARIABLES."
            what="header"
            rows={values.headers}
            onChange={(headers) => form.setFieldValue("headers", headers)}
            errors={errorsByName(form.errors, "headers.")}
          />
        </>
      )}

      <div>
        <span className={classes.legend} id="tier-label">
          Tier
        </span>
        <p className={classes.hint}>Core tools send their full schema with every model request, Extension tools one line.</p>
        <SegmentedControl
          aria-labelledby="tier-label"
          data={tiers}
          value={values.tier}
          onChange={(tier) => form.setFieldValue("tier", tier as ToolTier)}
        />
      </div>
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

      <div>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={showsMore ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
          aria-expanded={showsMore}
          onClick={() => setShowsMore(!showsMore)}
        >
          More settings
        </Button>
        <Collapse expanded={showsMore}>
          <div className={classes.more}>
            <div>
              <span className={classes.legend} id="allowed-label">
                Allowed tools
              </span>
              <SegmentedControl
                aria-labelledby="allowed-label"
                data={[
                  { value: "all", label: "All" },
                  { value: "named", label: "Only these" },
                ]}
                value={values.allowsAllTools ? "all" : "named"}
                onChange={(choice) => form.setFieldValue("allowsAllTools", choice === "all")}
              />
            </div>
            {values.allowsAllTools ? null : (
              <Textarea
                aria-label="Names of the allowed tools"
                description={
                  values.allowedTools.trim() === "" ? "Empty: no tool is allowed." : "Names as the server lists them, one per line."
                }
                {...codeInputProps}
                autosize
                minRows={2}
                maxRows={8}
                {...form.getInputProps("allowedTools")}
              />
            )}
            <Textarea
              label="Excluded tools"
              description="Left out in any case. Names as the server lists them, one per line."
              {...codeInputProps}
              autosize
              minRows={1}
              maxRows={8}
              {...form.getInputProps("excludedTools")}
            />
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
              <NumberInput
                label="Connect timeout"
                suffix=" s"
                min={1}
                max={300}
                allowDecimal={false}
                {...form.getInputProps("connectTimeoutSeconds")}
              />
              <NumberInput
                label="Call timeout"
                suffix=" s"
                min={1}
                max={300}
                allowDecimal={false}
                {...form.getInputProps("callTimeoutSeconds")}
              />
            </div>
          </div>
        </Collapse>
      </div>
    </DrawerForm>
  );
}

function fieldErrorsOf(error: unknown): Record<string, string> {
  if (isApiProblem(error) && error.problem.code === "conflict" && !error.problem.errors) return { alias: error.message };
  return fieldErrors(error);
}
