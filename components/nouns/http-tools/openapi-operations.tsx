"use client";

import { Alert, Autocomplete, Badge, Button, Checkbox, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { useDrawnRows } from "@/components/kit/ui/lists/use-drawn-rows";
import { DrawerForm } from "@/components/kit/ui/overlays/drawer-form";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { plainPreview } from "@/components/kit/ui/text/plain-preview";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { EffectLabel } from "@/components/nouns/tools/effect-label";
import { toolQueries } from "@/components/nouns/tools/queries";
import { TierField } from "@/components/nouns/tools/tier-field";
import { ToolSchema } from "@/components/nouns/tools/tool-schema";
import { httpToolEndpoints, maxImportedOperations, type OpenApiResult } from "@/contracts/browser/tools/http-tools";
import type { ToolTier } from "@/contracts/browser/tools/tools";
import { AuthProfileSelect } from "./auth-profile-select";
import classes from "./http-tools.module.css";

/** Text or address of a document. */
export type DocumentSource = { document: string } | { url: string };

type OpenApiOperationsProps = { source: DocumentSource; result: OpenApiResult; onDone: () => void; onCancel: () => void };

/** The operations of a document as tools: the person chooses them, and confirms where requests go. */
export function OpenApiOperations({ source, result, onDone, onCancel }: OpenApiOperationsProps) {
  const client = useQueryClient();
  const [api, setApi] = useState(result.api);
  const [baseUrl, setBaseUrl] = useState(result.servers[0] ?? "");
  const [authProfileId, setAuthProfileId] = useState<string | null>(null);
  const [tier, setTier] = useState<ToolTier>("extension");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [search, setSearch] = useState("");

  const shown = searchOperations(result.operations, search);
  const [drawn, more] = useDrawnRows(shown, 60);
  // A flagged operation is chosen by itself only, because somebody should have read what was found.
  const choosable = shown.filter(({ refusal, findings }) => refusal === null && findings.length === 0).map(({ operation }) => operation);
  const isTooMany = chosen.size > maxImportedOperations;

  const add = useMutation({
    meta: { showsError: true },
    mutationFn: () =>
      call(httpToolEndpoints.importOpenApi, { body: { ...source, api, baseUrl, authProfileId, tier, operations: [...chosen] } }),
    onSuccess: async ({ added, updated, refused }) => {
      notifications.show({ message: `${added.length} tools added, ${updated.length} replaced` });
      await client.invalidateQueries({ queryKey: toolQueries.all() });
      if (refused.length === 0) onDone();
    },
  });
  const toggle = (operation: string) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(operation)) after.add(operation);
      return after;
    });

  return (
    <DrawerForm
      onSubmit={() => add.mutate()}
      footer={
        <div className={shared.stack}>
          <ImportNotes error={add.error} refused={add.data?.refused ?? []} />
          <div className={shared.buttons}>
            <Button variant="default" onClick={add.data ? onDone : onCancel}>
              {add.data ? "Done" : "Back"}
            </Button>
            <Button type="submit" loading={add.isPending} disabled={chosen.size === 0 || baseUrl.trim() === "" || isTooMany}>
              Add {chosen.size} {chosen.size === 1 ? "tool" : "tools"}
            </Button>
          </div>
        </div>
      }
    >
      <p className={shared.note}>
        <RevealedText text={`${result.title} ${result.version}`} /> · {result.operations.length} operations
        {result.security.length > 0 ? ` · asks for ${result.security.join(", or ")}` : ""}
      </p>
      {result.notes.map((note) => (
        <p key={note} className={shared.note}>
          <RevealedText text={note} />
        </p>
      ))}
      <TextInput
        label="Name of the API"
        description="Prefix of the tools' names"
        {...codeInputProps}
        value={api}
        onChange={(event) => setApi(event.currentTarget.value)}
      />
      <Autocomplete
        label="Base URL"
        description="Every request goes here. Confirm it: a document may name any host."
        placeholder="https://api.example.com/v1"
        {...codeInputProps}
        data={result.servers}
        value={baseUrl}
        onChange={setBaseUrl}
      />
      <AuthProfileSelect url={baseUrl} value={authProfileId} onChange={setAuthProfileId} />
      <TierField value={tier} onChange={setTier} />
      <div className={`${classes.filter} ${shared.bar}`}>
        <TextInput
          aria-label="Search operations"
          placeholder={`Search ${result.operations.length} operations`}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Button
          variant="default"
          size="compact-sm"
          onClick={() =>
            setChosen((before) => (choosable.every((one) => before.has(one)) ? new Set() : new Set([...before, ...choosable])))
          }
        >
          {choosable.length > 0 && choosable.every((one) => chosen.has(one)) ? "Choose none" : `Choose all ${choosable.length}`}
        </Button>
      </div>
      {isTooMany ? <p className={classes.error}>Import at most {maxImportedOperations} operations at a time.</p> : null}
      <ul className={`${shared.stack} ${shared.plainList}`} aria-label="Operations">
        {drawn.map((operation) => (
          <OperationItem
            key={operation.operation}
            operation={operation}
            name={`${api}${operation.name.slice(result.api.length)}`}
            isChosen={chosen.has(operation.operation)}
            onToggle={() => toggle(operation.operation)}
          />
        ))}
      </ul>
      {more}
    </DrawerForm>
  );
}

function searchOperations(operations: OpenApiResult["operations"], search: string): OpenApiResult["operations"] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter(({ operation, name, description }) => {
    const text = `${operation} ${name} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The reason of a failed import, and the operations that were refused. */
function ImportNotes({ error, refused }: { error: unknown; refused: OpenApiResult["refused"] }) {
  return (
    <>
      {error ? (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {toErrorSentence(error)}
        </Alert>
      ) : null}
      {refused.length > 0 ? (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} role="alert" title={`${refused.length} not added`}>
          {refused.slice(0, 5).map(({ operation, reason }) => (
            <p key={operation} className={shared.note}>
              <CodeText>{operation}</CodeText> <RevealedText text={reason} />
            </p>
          ))}
        </Alert>
      ) : null}
    </>
  );
}

type OperationItemProps = {
  operation: OpenApiResult["operations"][number];
  /** Name of the tool, under the chosen name of the API. */
  name: string;
  isChosen: boolean;
  onToggle: () => void;
};

function OperationItem({ operation, name, isChosen, onToggle }: OperationItemProps) {
  return (
    <li className={shared.shrinks}>
      <div className={classes.operationHead}>
        <Checkbox
          label={<CodeText>{operation.operation}</CodeText>}
          checked={isChosen}
          disabled={operation.refusal !== null}
          onChange={onToggle}
        />
        <EffectLabel effect={operation.effect} />
        {operation.exists ? <Badge variant="outline">replaces</Badge> : null}
        {operation.deprecated ? <Badge variant="outline">deprecated</Badge> : null}
      </div>
      <p className={classes.words}>
        <CodeText dim>{name}</CodeText> <RevealedText text={plainPreview(operation.description)} />
      </p>
      {operation.findings.map(({ check, place, message, excerpt }) => (
        <p key={`${check} ${place} ${message}`} className={classes.error}>
          <RevealedText text={message} /> <RevealedText text={`${place}: ${excerpt}`} />
        </p>
      ))}
      {[...(operation.refusal ? [operation.refusal] : []), ...operation.notes].map((sentence) => (
        <p key={sentence} className={classes.words}>
          <RevealedText text={sentence} />
        </p>
      ))}
      {isChosen ? (
        <div className={classes.schema}>
          <ToolSchema schema={operation.inputSchema} />
        </div>
      ) : null}
    </li>
  );
}
