"use client";

import { Alert, Button, TextInput, UnstyledButton } from "@mantine/core";
import { IconClipboardText, IconInfoCircle, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { emptyFields, type ServerFields } from "@/components/nouns/mcp-servers/server-draft";
import type { McpServer } from "@/contracts/mcp/mcp-servers";
import { ImportServers } from "./import-servers";
import classes from "./mcp-servers.module.css";
import { ServerForm } from "./server-form";
import { findTemplates, templates } from "./templates";

type Start = { times: number; fields: ServerFields; notes: readonly string[] };

/** Form for a new server: empty, from a template, or from another program's configuration. */
export function NewServer({ onSaved, onCancel }: { onSaved: (server: McpServer) => void; onCancel: () => void }) {
  const [start, setStart] = useState<Start>({ times: 0, fields: emptyFields, notes: [] });
  const [isImporting, setIsImporting] = useState(false);
  const [search, setSearch] = useState("");
  const found = findTemplates(search);
  const startWith = (fields: ServerFields, notes: readonly string[] = []) => {
    setStart(({ times }) => ({ times: times + 1, fields, notes }));
    setIsImporting(false);
  };

  // The import has buttons of its own, so the form and its buttons stand aside.
  if (isImporting) return <ImportServers onFill={startWith} onCancel={() => setIsImporting(false)} />;
  const lead = (
    <div>
      <TextInput
        className={classes.search}
        aria-label="Search well-known servers"
        placeholder={`Search ${templates.length} well-known servers`}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        // Enter would submit the form around this field.
        onKeyDown={(event) => {
          if (event.key === "Enter") event.preventDefault();
        }}
      />
      {found.length === 0 ? <p className={shared.hint}>No well-known server has these words. Fill in the form below.</p> : null}
      <section aria-label="Start with" className={classes.templates}>
        {found.map(({ name, what, fields }) => (
          <UnstyledButton key={name} className={classes.template} onClick={() => startWith(fields)}>
            <span className={classes.templateName}>
              <RevealedText text={name} />
            </span>
            <span className={classes.templateWhat}>{what}</span>
          </UnstyledButton>
        ))}
      </section>
      <Button
        className={classes.paste}
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconClipboardText size={14} aria-hidden />}
        onClick={() => setIsImporting(true)}
      >
        Import mcp.json
      </Button>
      {start.notes.length > 0 ? (
        <Alert className={classes.paste} color="yellow" icon={<IconInfoCircle aria-hidden />} title="Check before you add it">
          {start.notes.map((note) => (
            <p key={note} className={`${classes.note} ${shared.flush}`}>
              <RevealedText text={note} />
            </p>
          ))}
        </Alert>
      ) : null}
    </div>
  );
  return <ServerForm key={start.times} initial={start.fields} server={null} lead={lead} onSaved={onSaved} onCancel={onCancel} />;
}
