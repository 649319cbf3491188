"use client";

import { Alert } from "@mantine/core";
import { IconKeyOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { secretKeyQueries } from "./queries";

/** Alert of secrets that cannot be opened; nothing while the key is right. */
export function SecretKeyAlert() {
  const { data } = useQuery(secretKeyQueries.status());
  if (!data || data.opensSecrets) return null;
  return (
    <Alert color="red" variant="light" mb="md" icon={<IconKeyOff size={18} stroke={1.7} aria-hidden />} title={spellHidden(data.sentence)}>
      {data.wayOut}
    </Alert>
  );
}
