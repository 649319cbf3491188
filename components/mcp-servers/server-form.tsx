"use client";

import { Alert, Button, Collapse, NumberInput, SegmentedControl, Switch, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconChevronDown, IconChevronRight, IconFlask } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { isApiProblem } from "@/components/api/api-problem";
import { call } from "@/components/api/call";
import { fieldErrors } from "@/components/api/field-errors";
import { sentenceOf } from "@/components/api/sentence-of";
import { DrawerForm } from "@/components/ui/drawer-form";
import { machineTyping } from "@/components/ui/machine-typing";
import { type McpServer, McpServerDraft, mcpServerEndpoints } from "@/contracts/mcp-servers";
import { type ToolTier, toolTiers } from "@/contracts/tools";
import { KeyValueRows } from "./key-value-rows";
import classes from "./mcp-servers.module.css";
import { draftOf, type ServerFields } from "./server-draft";
import { TestResult } from "./test-result";
import { readAgain } from "./use-change-server";

type ServerFormProps = {
  initial: ServerFields;
  /** The server that is edited; null for a new one. */
  server: McpServer | null;
  /** What stands above the fields. */
  lead?: ReactNode;
  onSaved: (server: McpServer) => void;
  onCancel: () => void;
};

const transports = [
  { value: "stdio", label: "Program here" },
  { value: "streamable_http", label: "HTTP" },
  { value: "sse", label: "HTTP, older (SSE)" },
];
const tiers = toolTiers.toReversed().map((tier) => ({ value: tier, label: tier === "core" ? "Core" : "Extension" }));

/** Settings of a server, with a way to try them before they are saved. */
export function ServerForm({ initial, server, lead, onSaved, onCancel }: ServerFormProps) {
  const client = useQueryClient();
  const form = useForm<ServerFields>({ mode: "controlled", initialValues: initial });
  const [showsMore, setShowsMore] = useState(false);
  const { values } = form;
  const isStdio = values.transport === "stdio";

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
        message: server ? `${saved.alias} is saved` : `${saved.alias} is added; its tools appear as soon as it is connected`,
      });
      await readAgain(client);
      onSaved(saved);
    },
  });

  /** Hands a draft that fits the contract on; otherwise shows what is wrong where it is wrong. */
  const withDraft = (use: (draft: McpServerDraft) => void) => {
    const parsed = McpServerDraft.safeParse(draftOf(form.getValues()));
    if (parsed.success) {
      form.clearErrors();
      use(parsed.data);
      return;
    }
    const errors = Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join("."), issue.message]));
    form.setErrors(errors);
    if (Object.keys(errors).some((path) => /^(cwd|allowedTools|connectTimeoutSeconds|callTimeoutSeconds)/.test(path))) setShowsMore(true);
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
          {test.data && !test.isPending ? <TestResult result={test.data} /> : null}
          {problem ? (
            <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
              {sentenceOf(problem)}
            </Alert>
          ) : null}
          <div className={classes.buttons}>
            <Button
              variant="default"
              leftSection={<IconFlask size={16} aria-hidden />}
              loading={test.isPending}
              disabled={save.isPending}
              onClick={() => withDraft(test.mutate)}
            >
              Test
            </Button>
            <span className={classes.spring} />
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              {server ? "Save" : "Add server"}
            </Button>
          </div>
        </div>
      }
    >
      {lead}
      <TextInput
        label="Alias"
        description="Prefix of its tools' names: alias__tool"
        {...machineTyping}
        autoFocus
        data-autofocus
        {...form.getInputProps("alias")}
      />
      <div>
        <span className={classes.legend} id="transport-label">
          How it is reached
        </span>
        <SegmentedControl fullWidth aria-labelledby="transport-label" data={transports} {...form.getInputProps("transport")} />
      </div>

      {isStdio ? (
        <>
          <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} className={classes.warning}>
            This starts a program on the machine that Handrail runs on, with the rights that Handrail has. Name only programs that you
            trust.
          </Alert>
          <TextInput
            label="Command"
            description="The program alone; each of its arguments is a line below"
            placeholder="npx"
            {...machineTyping}
            {...form.getInputProps("command")}
          />
          <Textarea
            label="Arguments"
            description="One a line; spaces belong to the argument"
            {...machineTyping}
            autosize
            minRows={2}
            maxRows={10}
            {...form.getInputProps("args")}
            error={form.errors.args ?? errorUnder(form.errors, "args.")}
          />
          <KeyValueRows
            label="Environment"
            description="Nothing of Handrail's own environment is passed on but what stands here and what a program needs to start. Secrets are stored encrypted; $env:NAME takes a value from Handrail's environment when it connects."
            what="variable"
            rows={values.env}
            onChange={(env) => form.setFieldValue("env", env)}
            errors={errorsByName(form.errors, "env.")}
          />
        </>
      ) : (
        <>
          <TextInput label="URL" placeholder="https://example.com/mcp" {...machineTyping} {...form.getInputProps("url")} />
          <KeyValueRows
            label="Headers"
            description="Sent with every request. Secrets are stored encrypted; $env:NAME takes a value from Handrail's environment when it connects."
            what="header"
            rows={values.headers}
            onChange={(headers) => form.setFieldValue("headers", headers)}
            errors={errorsByName(form.errors, "headers.")}
          />
        </>
      )}

      <div>
        <span className={classes.legend} id="tier-label">
          Tier of its tools
        </span>
        <p className={classes.hint}>Extension tools cost a line each on every model step; Core tools their whole schema.</p>
        <SegmentedControl
          aria-labelledby="tier-label"
          data={tiers}
          value={values.tier}
          onChange={(tier) => form.setFieldValue("tier", tier as ToolTier)}
        />
      </div>
      <Switch
        label="Connect it"
        description="Off keeps the settings and connects nothing"
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
            <Textarea
              label="Allowed tools"
              description="Names as the server lists them, one a line. Empty: all"
              {...machineTyping}
              autosize
              minRows={2}
              maxRows={8}
              {...form.getInputProps("allowedTools")}
            />
            {isStdio ? (
              <TextInput
                label="Working folder"
                description="Empty: a folder of its own"
                {...machineTyping}
                {...form.getInputProps("cwd")}
              />
            ) : null}
            <div className={classes.two}>
              <NumberInput
                label="Time to connect"
                suffix=" s"
                min={1}
                max={300}
                allowDecimal={false}
                {...form.getInputProps("connectTimeoutSeconds")}
              />
              <NumberInput
                label="Time for a call"
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

function errorsByName(errors: Record<string, unknown>, prefix: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors)
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, message]) => [path.slice(prefix.length), String(message)]),
  );
}

function errorUnder(errors: Record<string, unknown>, prefix: string): string | null {
  return Object.values(errorsByName(errors, prefix))[0] ?? null;
}
