"use client";

import { Anchor, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { CallStatusBadge } from "@/components/nouns/calls/call-status-badge";
import { turnQueries } from "@/components/nouns/turns/queries";
import type { Approval } from "@/contracts/approvals/approvals";
import type { Json } from "@/contracts/common";
import classes from "./turn-calls.module.css";

const longest = 160;

/** The calls before and after the one that needs approval, because a harmless call may precede a harmful one. */
export function TurnCalls({ approval }: { approval: Approval }) {
  const { data: turn } = useQuery(turnQueries.one(approval.turnId));
  if (!turn) return <Skeleton height={64} />;
  return (
    <>
      <ol className={classes.calls} aria-label="Calls in this turn">
        {turn.calls.map((call) => (
          <li key={call.callId} className={classes.call} aria-current={call.callId === approval.callId || undefined}>
            <span className={shared.oneLine}>
              <CodeText>
                <RevealedText text={call.name} />
              </CodeText>{" "}
              <span className={classes.arguments}>
                <RevealedText text={inOneLine(call.arguments)} />
              </span>
            </span>
            <CallStatusBadge status={call.status} plain />
          </li>
        ))}
      </ol>
      <Anchor component={Link} href={`/turns/${turn.id}`} size="sm">
        See the turn
      </Anchor>
    </>
  );
}

/** Arguments that usually name the call's object. */
const telling = ["command", "path", "url", "query", "question", "name"];

/** Returns a call's main argument on one line: a command, a path, an address; else its first text. */
function inOneLine(args: Json): string {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return shortened(String(args ?? ""));
  const named = telling.map((name) => (Object.hasOwn(args, name) ? args[name] : undefined));
  const text = [...named, ...Object.values(args)].find((value) => typeof value === "string");
  return shortened(text ?? (Object.keys(args).length > 0 ? JSON.stringify(args) : ""));
}

function shortened(text: string): string {
  const line = text.slice(0, longest + 1).replaceAll("\n", " ");
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
