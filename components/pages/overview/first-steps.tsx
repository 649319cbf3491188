"use client";

import { Button } from "@mantine/core";
import { IconCircleCheckFilled, IconCircleDashed } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Overview } from "@/contracts/operations/overview";
import classes from "./first-steps.module.css";
import { TryOut } from "./try-out";

// Loaded on demand with its programs and tabs.
const ConnectAgent = dynamic(() => import("./connect-agent").then((file) => file.ConnectAgent));

type Step = {
  id: keyof Overview["setup"];
  title: string;
  why: string;
  /** Content for a step that is done on this page; absent for a step with a page of its own. */
  here?: { action: string; body: ReactNode };
  page?: { href: string; action: string };
};

/** First steps of a new workspace; a step is ticked when it was done anywhere. */
export function FirstSteps({ setup, publicUrl }: { setup: Overview["setup"]; publicUrl: string }) {
  const steps: Step[] = [
    {
      id: "callApproved",
      title: "Make a call and approve it",
      why: "A turn of three calls, as an agent submits it. The second call needs your approval.",
      here: { action: "Try it", body: <TryOut /> },
    },
    {
      id: "agentConnected",
      title: "Connect your agent",
      why: "Give your agent these tools through the library that it uses.",
      here: { action: "Show code", body: <ConnectAgent publicUrl={publicUrl} /> },
    },
    {
      id: "serverAdded",
      title: "Add an MCP server",
      why: "Its tools join the built-in ones, behind the same guard.",
      page: { href: "/mcp-servers", action: "Add a server" },
    },
    {
      id: "ruleWritten",
      title: "Write a rule",
      why: "Allow harmless calls, and keep approvals for the rest.",
      page: { href: "/guard", action: "Write a rule" },
    },
  ];
  // A finished step stays open, because its result is inside.
  const [open, setOpen] = useState(() => steps.find(({ id, here }) => here && !setup[id])?.id ?? null);
  return (
    <section className={classes.steps} aria-label="First steps">
      <h2 className={classes.heading}>First steps</h2>
      <ol className={`${classes.list} ${shared.surface}`}>
        {steps.map(({ id, title, why, here, page }) => (
          <li key={id} className={classes.step}>
            <Mark isDone={setup[id]} />
            <div className={shared.shrinks}>
              <p className={`${shared.medium} ${shared.paragraph}`}>
                <RevealedText text={title} />
              </p>
              <p className={shared.note}>{why}</p>
            </div>
            {here && open !== id ? (
              <Button variant="default" size="xs" onClick={() => setOpen(id)}>
                {here.action}
              </Button>
            ) : null}
            {page && !setup[id] ? (
              <Link href={page.href} className={classes.action}>
                {page.action}
              </Link>
            ) : null}
            {here && open === id ? <div className={classes.body}>{here.body}</div> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Returns whether all first steps are done. */
export function isSetUp(setup: Overview["setup"]): boolean {
  return Object.values(setup).every(Boolean);
}

function Mark({ isDone }: { isDone: boolean }) {
  return isDone ? (
    <IconCircleCheckFilled size={20} className={classes.done} role="img" aria-label="Done" />
  ) : (
    <IconCircleDashed size={20} className={shared.dim} role="img" aria-label="To do" />
  );
}
