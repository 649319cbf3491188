"use client";

import { Alert } from "@mantine/core";
import { IconFileAlert, IconFileText } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "../guard-view.module.css";
import { guardQueries } from "../queries";

/** Rules of the policy file, or the file's error. */
export function PolicyFileNote() {
  const { data: file } = useQuery(guardQueries.policyFile());
  if (!file) return null;
  if (!file.mistake) {
    return (
      <p className={classes.file}>
        <IconFileText size={15} stroke={1.7} aria-hidden />
        <span>
          {file.rules === 1 ? "1 rule comes" : `${file.rules} rules come`} from <CodeText>{file.name}</CodeText>, read{" "}
          <RelativeTime at={file.readAt} />, and {file.rules === 1 ? "is" : "are"} changed only there.
        </span>
      </p>
    );
  }
  const { message, line, column, at } = file.mistake;
  return (
    <Alert color="red" variant="outline" icon={<IconFileAlert aria-hidden />} title="The policy file cannot be used" mb="md" role="alert">
      <CodeText>{file.name}</CodeText>
      {line === null ? "" : `, line ${line}, column ${column}`}: <RevealedText text={message} />. Since <RelativeTime at={at} /> its last
      good {file.rules === 1 ? "rule goes" : `${file.rules} rules go`} on.
    </Alert>
  );
}
