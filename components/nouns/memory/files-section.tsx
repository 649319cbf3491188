"use client";

import { Switch } from "@mantine/core";
import { IconFileText, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { RowLink } from "@/components/kit/ui/lists/row-link";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { MemoryFile, MemoryOwnerCount } from "@/contracts/memory/memory";
import classes from "./memory.module.css";
import { placeWord } from "./owner-words";
import { memoryQueries, type Shown } from "./queries";
import { useChangeMemory } from "./use-change-memory";

const FileEditor = dynamic(async () => (await import("./file-editor")).FileEditor, { ssr: false });
const daily = /^memory\/\d{4}-\d{2}-\d{2}\.md$/;

/** Files of a memory; a ticked file stands in the prompt. */
export function FilesSection({ shown, owners }: { shown: Shown; owners: readonly MemoryOwnerCount[] }) {
  const files = useQuery(memoryQueries.files(shown));
  const refusal = useRefusal("memory:write");
  const { tick } = useChangeMemory();
  const [edited, setEdited] = useState<MemoryFile | "new" | null>(null);
  const add = (
    <RefusableButton refusal={refusal} leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited("new")}>
      Add file
    </RefusableButton>
  );
  return (
    <>
      <Loaded query={files} what="the memory files" rows={4} height={3.25}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={IconFileText} title="No files yet" action={add}>
              The agent writes files while it works. Add AGENTS.md to say how it works, or PROFILE.md for what it should know.
            </EmptyState>
          ) : (
            <>
              <div className={shared.buttons}>{add}</div>
              <ul className={rows.rows} aria-label="Memory files">
                {found.map((file) => (
                  <li key={file.id} className={`${rows.row} ${classes.item}`}>
                    <div className={shared.fluid}>
                      <RowLink className={shared.strong} href="#file" onOpen={() => setEdited(file)}>
                        <RevealedText text={file.filename} />
                      </RowLink>
                      <div className={classes.about}>
                        <span>
                          <RevealedText text={placeWord(file, owners)} />
                        </span>
                        <span>{file.characters.toLocaleString("en")} characters</span>
                        <span>version {file.version}</span>
                        <RelativeTime at={file.updatedAt} />
                      </div>
                    </div>
                    <div className={shared.aboveLink}>
                      <Switch
                        label="In the prompt"
                        aria-label={`${file.filename} stands in the prompt`}
                        checked={file.enabled}
                        disabled={refusal !== null || daily.test(file.filename) || tick.isPending}
                        onChange={() => tick.mutate(file)}
                      />
                    </div>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
      {edited === null ? null : (
        <FileEditor
          key={edited === "new" ? "new" : edited.id}
          shown={shown}
          owners={owners}
          file={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
