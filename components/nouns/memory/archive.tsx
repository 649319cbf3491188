"use client";

import { Button, FileButton, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDownload, IconUpload } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { readProblem } from "@/components/kit/api/api-problem";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { type MemoryImport, memoryUpkeepEndpoints } from "@/contracts/browser/memory/memory-upkeep";
import { memoryQueries, type Shown } from "./queries";

const actionWords = { create: "added", update: "changed", skip: "skipped" } as const;

/** Export of a memory as a zip, and import with a preview. */
export function Archive({ shown: { agentId, ownerKey } }: { shown: Shown }) {
  const client = useQueryClient();
  const refusal = useRefusal("memory:write");
  const query = ownerKey === null ? {} : { ownerKey };
  const take = async (file: File | null) => {
    if (!file) return;
    try {
      const preview = await send(agentId, file, false);
      await confirmAction({
        title: `Import ${file.name}?`,
        children: <Preview items={preview.items} />,
        action: "Import",
        onConfirm: async () => {
          await send(agentId, file, true);
          notifications.show({ message: spellHidden(`${file.name} imported`) });
          await client.invalidateQueries({ queryKey: memoryQueries.all() });
        },
      });
    } catch (error) {
      notifications.show({ color: "red", message: spellHidden(toErrorSentence(error)) });
    }
  };
  return (
    <div className={shared.bar}>
      <Button
        component="a"
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        href={endpointAddress(memoryUpkeepEndpoints.export, { params: { id: agentId }, query })}
        download
      >
        Export
      </Button>
      <FileButton accept=".zip,application/zip" onChange={(file) => void take(file)}>
        {(props) => (
          <RefusableButton refusal={refusal} {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
            Import
          </RefusableButton>
        )}
      </FileButton>
    </div>
  );
}

async function send(agentId: string, file: File, apply: boolean): Promise<MemoryImport> {
  const query = { apply: apply ? ("true" as const) : ("false" as const) };
  const response = await fetch(endpointAddress(memoryUpkeepEndpoints.import, { params: { id: agentId }, query }), {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/zip", accept: "application/json" },
    body: file,
  });
  if (!response.ok) throw await readProblem(response);
  return (await response.json()) as MemoryImport;
}

function Preview({ items }: Pick<MemoryImport, "items">) {
  const count = (action: MemoryImport["items"][number]["action"]) => items.filter((item) => item.action === action).length;
  const skipped = items.filter(({ action }) => action === "skip");
  return (
    <Stack gap="xs">
      <div>
        {count("create")} {actionWords.create}, {count("update")} {actionWords.update}, {skipped.length} {actionWords.skip}. Nothing is
        removed.
      </div>
      <ul className={shared.flush}>
        {items
          .filter(({ action }) => action !== "skip")
          .slice(0, 20)
          .map(({ name, ownerKey, action }) => (
            <li key={`${ownerKey} ${name}`}>
              <RevealedText text={name} /> {actionWords[action]}
            </li>
          ))}
        {skipped.slice(0, 20).map(({ name, ownerKey, reason }) => (
          <li key={`${ownerKey} ${name} skipped`}>
            <RevealedText text={`${name} skipped: ${reason ?? ""}`} />
          </li>
        ))}
      </ul>
    </Stack>
  );
}
