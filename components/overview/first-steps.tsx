"use client";

import { IconCircleCheckFilled, IconCircleDashed } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { guardQueries } from "@/components/guard/queries";
import { serverQueries } from "@/components/mcp-servers/queries";
import { identityQueries } from "@/components/settings/queries";
import { useMe } from "@/components/shell/me";
import { turnQueries } from "@/components/turns/queries";
import { MachineBlock } from "@/components/ui/machine-block";
import { firstCurl } from "./first-curl";
import classes from "./first-steps.module.css";

type Step = { title: string; why: string; href: string; action: string; isDone: boolean };

/** What to do in a new workspace; it goes away when everything is done. */
export function FirstSteps({ publicUrl }: { publicUrl: string }) {
  const me = useMe();
  const isAdmin = me.scopes.includes("admin");
  const servers = useQuery(serverQueries.list());
  const rules = useQuery(guardQueries.rules());
  const turns = useInfiniteQuery(turnQueries.recent({}));
  const keys = useQuery({ ...identityQueries.apiKeys(), enabled: isAdmin });

  const hasTurn = (turns.data?.pages[0]?.items.length ?? 0) > 0;
  const steps: Step[] = [
    {
      title: "Add an MCP server",
      why: "Its tools stand beside the built-in ones, behind the same guard.",
      href: "/mcp-servers",
      action: "Add a server",
      isDone: (servers.data?.items.length ?? 0) > 0,
    },
    {
      title: "Write a rule",
      why: "Let harmless calls pass without a question, and keep the rest with a person.",
      href: "/guard",
      action: "Write a rule",
      isDone: (rules.data?.length ?? 0) > 0,
    },
    {
      title: "Make a key for your agent runtime",
      why: "The first start printed one. A key is shown once; make another when it is lost.",
      href: "/settings",
      action: "Make a key",
      // Only an admin may look at keys; whoever has submitted a turn has one.
      isDone: hasTurn || (keys.data?.items.some(({ revokedAt }) => revokedAt === null) ?? false),
    },
  ];
  const isLoading = servers.isPending || rules.isPending || turns.isPending || (isAdmin && keys.isPending);
  const isDone = hasTurn && steps.every((step) => step.isDone);
  if (isLoading || isDone) return null;

  return (
    <section className={classes.steps} aria-label="First steps">
      <h2 className={classes.heading}>First steps</h2>
      <ol className={classes.list}>
        {steps.map((step) => (
          <li key={step.title} className={classes.step}>
            <Mark isDone={step.isDone} />
            <div>
              <p className={classes.title}>{step.title}</p>
              <p className={classes.why}>{step.why}</p>
            </div>
            {step.isDone ? null : (
              <Link href={step.href} className={classes.action}>
                {step.action}
              </Link>
            )}
          </li>
        ))}
        <li className={classes.step}>
          <Mark isDone={hasTurn} />
          <div>
            <p className={classes.title}>Submit a turn</p>
            <p className={classes.why}>
              The first call only reads and runs at once. The second one writes, so it waits for you under Approvals; the answer comes when
              you have decided.
            </p>
          </div>
        </li>
      </ol>
      <MachineBlock label="Paste this into a shell" text={firstCurl(publicUrl)} nowrap maxLines={24} />
    </section>
  );
}

function Mark({ isDone }: { isDone: boolean }) {
  return isDone ? (
    <IconCircleCheckFilled size={20} className={classes.done} role="img" aria-label="Done" />
  ) : (
    <IconCircleDashed size={20} className={classes.open} role="img" aria-label="To do" />
  );
}
