"use client";

import { Button, Checkbox, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/api/call";
import { toErrorSentence } from "@/components/api/error-sentence";
import { useRefusal } from "@/components/shell/me";
import { codeInputProps } from "@/components/ui/code-input-props";
import { CodeText } from "@/components/ui/code-text";
import { RevealedText } from "@/components/ui/revealed-text";
import { mcpServerEndpoints } from "@/contracts/browser/mcp-servers";
import { McpServerDraft } from "@/contracts/mcp-servers";
import classes from "./mcp-servers.module.css";
import { serverQueries } from "./queries";
import { type PastedServer, readPastedConfig } from "./read-pasted-config";
import { toServerDraft } from "./server-draft";
import { readAgain } from "./use-change-server";

type ImportServersProps = {
  /** Fills in the form with one of the servers. */
  onFill: (server: PastedServer) => void;
  onCancel: () => void;
};

/** Imports servers from another program's configuration: a single server fills in the form, of several the person chooses. */
export function ImportServers({ onFill, onCancel }: ImportServersProps) {
  const [pasted, setPasted] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [found, setFound] = useState<PastedServer[] | null>(null);

  const read = () => {
    try {
      const servers = readPastedConfig(pasted);
      const [only] = servers;
      if (only && servers.length === 1) onFill(only);
      else setFound(servers);
    } catch (caught) {
      setError(caught instanceof Error ? caught.message : "This cannot be read.");
    }
  };

  if (found) return <FoundServers found={found} onFill={onFill} onCancel={onCancel} />;
  return (
    <div className={classes.paste}>
      <Textarea
        label="Configuration"
        description="From Claude Desktop, VS Code, Cursor, Gemini CLI or Zed. Comments are fine."
        placeholder='{ "mcpServers": { … } }'
        {...codeInputProps}
        autosize
        minRows={4}
        maxRows={12}
        value={pasted}
        onChange={(event) => {
          setPasted(event.currentTarget.value);
          setError(null);
        }}
        error={error}
      />
      <div className={classes.buttons}>
        <Button disabled={pasted.trim() === ""} onClick={read}>
          Read configuration
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

/** Outcome of adding one server; null before the first try. */
type Outcome = { isAdded: boolean; sentence: string };

function FoundServers({ found, onFill, onCancel }: { found: readonly PastedServer[] } & ImportServersProps) {
  const client = useQueryClient();
  const servers = useQuery(serverQueries.list());
  const runRefusal = useRefusal("mcp:run");
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map());
  const aliases = new Set(servers.data?.items.map(({ alias }) => alias));
  const rows = found.map((server, place) => {
    const outcome = outcomes.get(place) ?? null;
    const reason = outcome?.isAdded ? null : reasonToFill(server, aliases, runRefusal);
    return { server, place, outcome, reason, isChosen: reason === null && !outcome?.isAdded && !left.has(place) };
  });
  const chosen = rows.filter(({ isChosen }) => isChosen);

  const add = useMutation({
    mutationFn: async () => {
      for (const { server, place } of chosen) {
        const outcome = await addOne(server);
        setOutcomes((before) => new Map(before).set(place, outcome));
      }
    },
    onSettled: () => readAgain(client),
  });

  return (
    <section className={classes.found} aria-label="Servers to add">
      <p className={classes.hint}>{found.length} servers found. Choose which to add.</p>
      <ul className={classes.foundRows}>
        {rows.map(({ server, place, outcome, reason, isChosen }) => (
          <li key={place} className={classes.foundRow}>
            <Checkbox
              label={<CodeText>{server.name || server.fields.alias || "(no name)"}</CodeText>}
              description={
                <RevealedText text={server.fields.url || [server.fields.command, ...server.fields.args.split("\n")].join(" ")} />
              }
              checked={isChosen}
              disabled={reason !== null || outcome?.isAdded || add.isPending}
              onChange={() => setLeft((before) => toggled(before, place))}
            />
            <div className={classes.foundWords}>
              {server.fields.enabled ? null : <p>Disabled in the configuration, so added disabled.</p>}
              {[...server.notes, ...(reason ? [reason] : [])].map((sentence) => (
                <p key={sentence}>
                  <RevealedText text={sentence} />
                </p>
              ))}
              {outcome ? <p role={outcome.isAdded ? "status" : "alert"}>{outcome.sentence}</p> : null}
              {outcome?.isAdded ? null : (
                <Button variant="subtle" color="gray" size="compact-xs" onClick={() => onFill(server)}>
                  Fill in the form
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      <div className={classes.buttons}>
        <Button loading={add.isPending} disabled={chosen.length === 0} onClick={() => add.mutate()}>
          Add {chosen.length} {chosen.length === 1 ? "server" : "servers"}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {outcomes.size > 0 ? "Done" : "Cancel"}
        </Button>
      </div>
    </section>
  );
}

/** Returns why a server can only be added through the form; null when it can be added directly. */
function reasonToFill({ fields, needsValue }: PastedServer, aliases: ReadonlySet<string>, runRefusal: string | null): string | null {
  if (needsValue) return "Needs a value: fill in the form.";
  if (aliases.has(fields.alias)) return `A server named ${fields.alias} exists already.`;
  if (fields.transport === "stdio" && runRefusal) return `A program needs the permission mcp:run. ${runRefusal}`;
  const draft = McpServerDraft.safeParse(toServerDraft(fields));
  return draft.success ? null : `${draft.error.issues[0]?.message}.`;
}

async function addOne({ fields }: PastedServer): Promise<Outcome> {
  try {
    const { alias } = await call(mcpServerEndpoints.create, { body: toServerDraft(fields) });
    return { isAdded: true, sentence: `Added as ${alias}.` };
  } catch (error) {
    return { isAdded: false, sentence: toErrorSentence(error) };
  }
}

function toggled(before: ReadonlySet<number>, place: number): Set<number> {
  const after = new Set(before);
  if (!after.delete(place)) after.add(place);
  return after;
}
