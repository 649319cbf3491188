"use client";

import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { guardQueries } from "../queries";

/** The rule that decided, with a link, and its current pattern. */
export function RuleFact({ ruleId, ruleName }: { ruleId: string; ruleName: string }) {
  const { data: rules } = useQuery(guardQueries.rules());
  const rule = rules?.find(({ id }) => id === ruleId);
  if (!rule) return <RevealedText text={ruleName} />;
  return (
    <>
      <Anchor component={Link} href={`/guard?rule=${ruleId}`} size="sm" underline="always">
        <RevealedText text={ruleName} />
      </Anchor>
      {rule.pattern ? (
        <>
          {" "}
          <CodeText dim>{rule.pattern}</CodeText>
        </>
      ) : null}
    </>
  );
}
