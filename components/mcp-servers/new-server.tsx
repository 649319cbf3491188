"use client";

import { Button, Textarea, UnstyledButton } from "@mantine/core";
import { IconClipboardText } from "@tabler/icons-react";
import { useState } from "react";
import { machineTyping } from "@/components/ui/machine-typing";
import type { McpServer } from "@/contracts/mcp-servers";
import classes from "./mcp-servers.module.css";
import { readPastedConfig } from "./read-pasted-config";
import { emptyFields, type ServerFields } from "./server-draft";
import { ServerForm } from "./server-form";
import { templates } from "./templates";

/** The settings of a new server, empty, from a template, or from another program's configuration. */
export function NewServer({ onSaved, onCancel }: { onSaved: (server: McpServer) => void; onCancel: () => void }) {
  const [start, setStart] = useState<{ times: number; fields: ServerFields }>({ times: 0, fields: emptyFields });
  const [pasted, setPasted] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const startWith = (fields: ServerFields) => setStart(({ times }) => ({ times: times + 1, fields }));

  const readPasted = () => {
    try {
      startWith(readPastedConfig(pasted ?? ""));
      setPasted(null);
      setError(null);
    } catch (caught) {
      setError(caught instanceof Error ? caught.message : "This cannot be read.");
    }
  };

  const lead = (
    <div>
      <section aria-label="Start with" className={classes.templates}>
        {templates.map(({ name, what, fields }) => (
          <UnstyledButton key={name} className={classes.template} onClick={() => startWith(fields)}>
            <span className={classes.templateName}>{name}</span>
            <span className={classes.templateWhat}>{what}</span>
          </UnstyledButton>
        ))}
      </section>
      {pasted === null ? (
        <Button
          className={classes.paste}
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconClipboardText size={14} aria-hidden />}
          onClick={() => setPasted("")}
        >
          Paste another program's configuration
        </Button>
      ) : (
        <div className={classes.paste}>
          <Textarea
            label="Configuration"
            description='As other MCP clients keep it: { "mcpServers": { … } }'
            {...machineTyping}
            autosize
            minRows={4}
            maxRows={12}
            value={pasted}
            onChange={(event) => setPasted(event.currentTarget.value)}
            error={error}
          />
          <div className={classes.buttons}>
            <Button disabled={pasted.trim() === ""} onClick={readPasted}>
              Fill in the form
            </Button>
            <Button
              variant="default"
              onClick={() => {
                setPasted(null);
                setError(null);
              }}
            >
              Cancel
            </Button>
          </div>
        </div>
      )}
    </div>
  );
  return <ServerForm key={start.times} initial={start.fields} server={null} lead={lead} onSaved={onSaved} onCancel={onCancel} />;
}
