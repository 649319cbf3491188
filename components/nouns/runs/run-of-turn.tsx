"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { runQueries } from "./queries";

/** Link to the run that submitted a turn; nothing for turns of other runtimes. */
export function RunOfTurn({ turnId, className }: { turnId: string; className?: string | undefined }) {
  const { data: run } = useQuery(runQueries.ofTurn(turnId));
  if (!run) return null;
  return (
    <Link className={className} href={`/runs/${run.id}`}>
      Run of <RevealedText text={run.agent} />
    </Link>
  );
}
