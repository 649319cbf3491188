"use client";

import { Button, Checkbox, PasswordInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { ChooseTextFile } from "@/components/kit/ui/forms/choose-text-file";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { DrawerForm } from "@/components/kit/ui/overlays/drawer-form";
import { DrawerFormFooter } from "@/components/kit/ui/overlays/drawer-form-footer";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { fieldsOfSettings, type ServerFields } from "@/components/nouns/mcp-servers/server-draft";
import { readAgain } from "@/components/nouns/mcp-servers/use-change-server";
import type { McpServerImported } from "@/contracts/browser/mcp/mcp-imports";
import { mcpServerEndpoints } from "@/contracts/browser/mcp/mcp-servers";
import classes from "./mcp-servers.module.css";

type FoundServer = McpServerImported["servers"][number];
type ImportServersProps = {
  /** Fills in the form with one of the servers. */
  onFill: (fields: ServerFields, notes: readonly string[]) => void;
  onCancel: () => void;
};

/** Imports servers from another program's configuration: a single server fills in the form, of several the person chooses. */
export function ImportServers({ onFill, onCancel }: ImportServersProps) {
  const [config, setConfig] = useState("");
  const read = useMutation({
    meta: { showsError: true },
    mutationFn: (text: string) => call(mcpServerEndpoints.importConfig, { body: { config: text, dryRun: true } }),
    onSuccess: ({ servers }) => {
      const [only] = servers;
      if (only && servers.length === 1) onFill(fieldsOfSettings(only.settings), only.notes);
    },
  });
  const take = (text: string) => {
    setConfig(text);
    read.reset();
  };

  if (read.data && read.data.servers.length !== 1)
    return <FoundServers config={config} found={read.data.servers} onFill={onFill} onCancel={onCancel} />;
  return (
    <DrawerForm
      onSubmit={() => read.mutate(config)}
      footer={
        <DrawerFormFooter
          error={null}
          submit="Read configuration"
          isSaving={read.isPending}
          disabled={config.trim() === ""}
          onCancel={onCancel}
        />
      }
    >
      <AutosizeTextarea
        label="Configuration"
        description="As a README writes it: JSON, TOML or YAML of any client, a command such as npx …, an install link, or an address."
        placeholder='{ "mcpServers": { … } }'
        {...codeInputProps}
        rows={[4, 12]}
        value={config}
        onChange={(event) => take(event.currentTarget.value)}
        onPaste={(event) => {
          const isWhole = event.currentTarget.selectionEnd - event.currentTarget.selectionStart === config.length;
          // A paste over everything is read at once; other pastes are edits.
          if (!isWhole) return;
          event.preventDefault();
          const pasted = event.clipboardData.getData("text");
          take(pasted);
          if (pasted.trim() !== "") read.mutate(pasted);
        }}
        error={read.error ? toErrorSentence(read.error) : null}
        data-autofocus
      />
      <ChooseTextFile accept=".json,.jsonc,.toml,.yaml,.yml,.txt,application/json,text/plain" onText={take} />
    </DrawerForm>
  );
}

type Values = Record<string, Record<string, string>>;

function FoundServers({ config, found, onFill, onCancel }: { config: string; found: readonly FoundServer[] } & ImportServersProps) {
  const client = useQueryClient();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [values, setValues] = useState<Values>({});
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, FoundServer>>(new Map());
  const rows = found.map((server) => {
    const outcome = outcomes.get(server.name) ?? null;
    const isAdded = outcome?.status === "added";
    const isComplete = server.missing.every((path) => (values[server.name]?.[path] ?? "") !== "");
    const canAdd = !isAdded && (server.status === "ready" || (server.status === "needs_value" && isComplete));
    return { server, outcome, isAdded, canAdd, isChosen: canAdd && !left.has(server.name) };
  });
  const chosen = rows.filter(({ isChosen }) => isChosen).map(({ server }) => server.name);

  const add = useMutation({
    mutationFn: () => call(mcpServerEndpoints.importConfig, { body: { config, servers: chosen, values } }),
    onSuccess: ({ servers }) => {
      const asked = servers.filter(({ name }) => chosen.includes(name)).map((server) => [server.name, server] as const);
      setOutcomes((before) => new Map([...before, ...asked]));
    },
    onSettled: () => readAgain(client),
  });

  return (
    <DrawerForm
      onSubmit={() => add.mutate()}
      footer={
        <DrawerFormFooter
          error={add.error ? toErrorSentence(add.error) : null}
          submit={`Add ${chosen.length} ${chosen.length === 1 ? "server" : "servers"}`}
          isSaving={add.isPending}
          disabled={chosen.length === 0}
          onCancel={onCancel}
          cancel={outcomes.size > 0 ? "Done" : "Cancel"}
        />
      }
    >
      <section className={classes.found} aria-label="Servers to add">
        <p className={shared.hint}>{found.length} servers found. Choose which to add.</p>
        <ul className={`${classes.foundRows} ${shared.framed}`}>
          {rows.map(({ server, outcome, isAdded, canAdd, isChosen }) => (
            <li key={server.name} className={classes.foundRow}>
              <Checkbox
                label={<CodeText>{server.name || server.settings.alias || "(no name)"}</CodeText>}
                description={<RevealedText text={server.settings.url || [server.settings.command, ...server.settings.args].join(" ")} />}
                checked={isChosen}
                disabled={!canAdd || add.isPending}
                onChange={() => setLeft((before) => toggled(before, server.name))}
              />
              <div className={classes.foundWords}>
                {server.notes.map((sentence) => (
                  <p key={sentence}>
                    <RevealedText text={sentence} />
                  </p>
                ))}
                {server.reason && server.missing.length === 0 && !isAdded ? (
                  <p>
                    <RevealedText text={server.reason} />
                  </p>
                ) : null}
                {isAdded
                  ? null
                  : server.missing.map((path) => (
                      <PasswordInput
                        key={path}
                        size="xs"
                        label={spellHidden(path)}
                        autoComplete="off"
                        value={values[server.name]?.[path] ?? ""}
                        onChange={(event) => {
                          const { value } = event.currentTarget;
                          setValues((before) => ({ ...before, [server.name]: { ...before[server.name], [path]: value } }));
                        }}
                      />
                    ))}
                {isAdded ? <p role="status">Added as {outcome?.settings.alias}.</p> : null}
                {outcome && !isAdded ? (
                  <p role="alert">
                    <RevealedText text={outcome.reason} />
                  </p>
                ) : null}
                {isAdded ? null : (
                  <Button
                    variant="subtle"
                    color="gray"
                    size="compact-xs"
                    onClick={() => onFill(fieldsOfSettings(server.settings), server.notes)}
                  >
                    Fill in the form
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ul>
      </section>
    </DrawerForm>
  );
}

function toggled(before: ReadonlySet<string>, name: string): Set<string> {
  const after = new Set(before);
  if (!after.delete(name)) after.add(name);
  return after;
}
