"use client";

import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { MachineText } from "@/components/ui/machine-text";
import { guardQueries } from "./queries";

/** The rule that decided, by name with a way to it, and its pattern as it stands today. */
export function RuleFact({ ruleId, ruleName }: { ruleId: string; ruleName: string }) {
  const { data: rules } = useQuery(guardQueries.rules());
  const rule = rules?.find(({ id }) => id === ruleId);
  if (!rule) return <>{ruleName}</>;
  return (
    <>
      <Anchor component={Link} href={`/guard?rule=${ruleId}`} size="sm">
        {ruleName}
      </Anchor>
      {rule.pattern ? (
        <>
          {" "}
          <MachineText dim>{rule.pattern}</MachineText>
        </>
      ) : null}
    </>
  );
}
