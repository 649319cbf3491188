"use client";

import { notifications } from "@mantine/notifications";
import { IconTrash } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { confirmRemoval } from "@/components/kit/resources/confirm-removal";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { VersionList } from "@/components/kit/ui/lists/version-list";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import shared from "@/components/kit/ui/shared.module.css";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { DiffView } from "@/components/nouns/call-views/lazy-views";
import { type MemoryFileContent, memoryEndpoints } from "@/contracts/browser/memory/memory";
import { memoryQueries } from "./queries";

type FileVersionsProps = { file: MemoryFileContent; onRestored: () => void; onRemoved: () => void };

/** Contents that a file had, each with its author and its changes; an earlier one can be restored. */
export function FileVersions({ file, onRestored, onRemoved }: FileVersionsProps) {
  const client = useQueryClient();
  const refusal = useRefusal("memory:write");
  const versions = useQuery(memoryQueries.versions(file.id));
  const refresh = () => client.invalidateQueries({ queryKey: memoryQueries.all() });
  const restore = (version: number, content: string) =>
    confirmAction({
      title: `Restore version ${version}?`,
      children: <DiffView label={`${file.filename} · version ${version}`} before={file.content} after={content} />,
      action: "Restore",
      onConfirm: async () => {
        await call(memoryEndpoints.restoreVersion, { params: { id: file.id, version } }, { version: file.version });
        notifications.show({ message: spellHidden(`Version ${version} of ${file.filename} restored`) });
        onRestored();
        await refresh();
      },
    });
  const remove = () =>
    confirmRemoval({
      name: file.filename,
      noun: "file",
      loss: "The file goes with all its versions. This cannot be undone.",
      remove: () => call(memoryEndpoints.removeFile, { params: { id: file.id } }, { version: file.version }),
      onRemoved,
      refresh,
    });
  return (
    <section className={shared.stack} aria-labelledby="versions-heading">
      <h3 className={shared.title} id="versions-heading">
        Versions
      </h3>
      <Loaded query={versions} what="the versions" rows={3} height={3}>
        {({ items }) => (
          <VersionList
            label={`Versions of ${file.filename}, newest first`}
            versions={items.map(({ author, content, ...version }) => ({
              ...version,
              content,
              actor: author,
              summary: `${content.length.toLocaleString("en")} characters`,
            }))}
            current={file.version}
            refusal={refusal}
            onRestore={({ version, content }) => void restore(version, content)}
            changesOf={({ version, content }) => (
              <DiffView
                label={`${file.filename} · version ${version}`}
                before={items.find((other) => other.version === version - 1)?.content ?? ""}
                after={content}
              />
            )}
          />
        )}
      </Loaded>
      <RefusableButton
        refusal={refusal}
        className={shared.atStart}
        variant="default"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={remove}
      >
        Remove file
      </RefusableButton>
    </section>
  );
}
