import { CloseButton, Loader } from "@mantine/core";
import { IconAlertTriangle, IconPaperclip } from "@tabler/icons-react";
import shared from "@/components/kit/ui/shared.module.css";
import { formatBytes } from "@/components/kit/ui/text/format-bytes";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./composer.module.css";
import type { AddedFile } from "./use-files";

/** The files of the message that is being written. */
export function AddedFiles({ files, onRemove }: { files: readonly AddedFile[]; onRemove: (key: string) => void }) {
  if (files.length === 0) return null;
  return (
    <ul className={classes.files} aria-label="Files of this message">
      {files.map((file) => (
        <li key={file.key} className={classes.file} data-state={file.state}>
          {file.state === "sending" ? (
            <Loader size={13} aria-label="Uploading" role="status" />
          ) : file.state === "failed" ? (
            <IconAlertTriangle size={14} aria-hidden />
          ) : (
            <IconPaperclip size={14} aria-hidden />
          )}
          <span className={shared.oneLine}>
            <RevealedText text={file.name} />
          </span>
          {file.state === "failed" ? (
            <span role="alert">
              <RevealedText text={file.error} />
            </span>
          ) : (
            <span className={shared.dim}>{formatBytes(file.bytes)}</span>
          )}
          <CloseButton size="xs" aria-label={`Remove ${file.name}`} onClick={() => onRemove(file.key)} />
        </li>
      ))}
    </ul>
  );
}
