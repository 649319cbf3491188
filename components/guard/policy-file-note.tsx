"use client";

import { Alert } from "@mantine/core";
import { IconFileAlert } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { MachineText } from "@/components/ui/machine-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { guardQueries } from "./queries";

/** Says what is wrong with the policy file, while something is. */
export function PolicyFileNote() {
  const { data: file } = useQuery(guardQueries.policyFile());
  if (!file?.mistake) return null;
  const { message, line, column, at } = file.mistake;
  return (
    <Alert color="red" variant="outline" icon={<IconFileAlert aria-hidden />} title="The policy file cannot be used" mb="md" role="alert">
      <MachineText>{file.name}</MachineText>
      {line === null ? "" : `, line ${line}, column ${column}`}: {message}. Since <RelativeTime at={at} /> its last good{" "}
      {file.rules === 1 ? "rule goes" : `${file.rules} rules go`} on.
    </Alert>
  );
}
