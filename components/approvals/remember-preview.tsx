"use client";

import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { guardQueries } from "@/components/guard/queries";
import { RevealedText } from "@/components/ui/revealed-text";
import type { GuardRuleDraft } from "@/contracts/guard";
import classes from "./remember-preview.module.css";

const typingPauseMs = 250;
const shownCalls = 5;

/** Recorded calls that a pattern would have allowed, so that nobody allows more than intended. */
export function RememberPreview({ tool, pattern }: { tool: string; pattern: string }) {
  const [asked] = useDebouncedValue(pattern.trim(), typingPauseMs);
  const { data, error } = useQuery({ ...guardQueries.preview(allowing(tool, asked), null), enabled: asked !== "" });
  if (asked === "" || error || !data) return null;
  if (data.patternError) {
    return (
      <p className={classes.error} role="alert">
        Invalid pattern: <RevealedText text={data.patternError.message} />
      </p>
    );
  }
  const matched = data.calls.filter(({ result }) => result === "matched");
  return (
    <div className={classes.preview} role="status">
      <p className={classes.sum}>
        Matches {data.matched} of the last {data.examined} recorded calls of {tool}.
      </p>
      {matched.length > 0 ? (
        <ul className={classes.calls} aria-label="Recorded calls that match">
          {matched.slice(0, shownCalls).map(({ callId, seen }) => (
            <li key={callId} className={classes.call}>
              <code>
                <RevealedText text={seen} />
              </code>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function allowing(tool: string, pattern: string): GuardRuleDraft {
  return {
    name: "Always allowed",
    tool,
    parameter: null,
    pattern,
    excludePattern: null,
    comparisons: [],
    context: null,
    verdict: "allow",
    priority: 0,
    enabled: true,
    reason: "",
    expiresAt: null,
    relaxes: [],
    approvers: null,
  };
}
