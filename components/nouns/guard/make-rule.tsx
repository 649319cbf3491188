"use client";

import { Button } from "@mantine/core";
import { IconShieldPlus } from "@tabler/icons-react";
import Link from "next/link";
import { useRefusal } from "@/components/kit/session/me";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";

/** Link to the rule editor, filled in with a rule about calls like this one. */
export function MakeRule({ callId }: { callId: string }) {
  const refusal = useRefusal("guard:write");
  const look = { size: "compact-sm", variant: "default", leftSection: <IconShieldPlus size={15} aria-hidden /> } as const;
  if (refusal !== null) {
    return (
      <DisabledReason reason={refusal}>
        <Button {...look} disabled>
          Make a rule
        </Button>
      </DisabledReason>
    );
  }
  return (
    <Button {...look} component={Link} href={`/guard?rule=new&call=${callId}`}>
      Make a rule
    </Button>
  );
}
