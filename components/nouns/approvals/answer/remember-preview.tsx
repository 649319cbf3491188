"use client";

import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import shared from "@/components/kit/ui/shared.module.css";
import { MarkedSentence } from "@/components/kit/ui/text/marked-sentence";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { InsteadButton, RuleWarnings } from "@/components/nouns/guard/rule-form/rule-warnings";
import type { Approval } from "@/contracts/approvals/approvals";
import type { GrantReach } from "@/contracts/guard/grants";
import { approvalQueries } from "../queries";
import classes from "./remember-preview.module.css";

const typingPauseMs = 250;

type RememberPreviewProps = {
  approval: Pick<Approval, "id" | "tool">;
  pattern: string;
  reach: GrantReach | undefined;
  /** Puts a pattern into the field. */
  onTake: (pattern: string) => void;
};

/** Whether a pattern covers the call, what it may not mean, and the recorded calls that it would have allowed. */
export function RememberPreview({ approval, pattern, reach, onTake }: RememberPreviewProps) {
  const typed = pattern.trim();
  const [asked] = useDebouncedValue(typed, typingPauseMs);
  const { data, error } = useQuery({
    ...approvalQueries.tried(approval.id, { pattern: asked, ...(reach ? { reach } : {}) }),
    enabled: asked !== "",
  });
  // An answer about an earlier text would offer a pattern for what is no longer there.
  if (asked === "" || asked !== typed || error || !data) return null;
  const { patternError, whyNotCovered, instead, warnings, covers, examined, calls } = data;
  if (patternError) {
    return (
      <p className={`${shared.small} ${shared.errorText}`} role="alert">
        Invalid pattern: <RevealedText text={patternError.message} />
      </p>
    );
  }
  const isCovered = whyNotCovered === null;
  const closed = instead === null ? null : { pattern: instead };
  // A pattern that does not cover the call is to be replaced, whether it is open or not.
  const shown = warnings
    .filter(({ kind }) => isCovered || kind !== "open_pattern")
    .map((warning) => ({ ...warning, instead: warning.kind === "open_pattern" ? closed : null }));
  return (
    <div className={shared.stackTight} role="status">
      {isCovered ? null : (
        <div className={classes.mistake}>
          This pattern does not cover the call. <MarkedSentence text={whyNotCovered} />
          {instead === null ? null : <InsteadButton value={instead} onClick={() => onTake(instead)} />}
        </div>
      )}
      <RuleWarnings
        warnings={shown}
        onTake={({ pattern: better }) => {
          if (better !== undefined) onTake(better);
        }}
      />
      <p className={`${shared.flush} ${shared.small}`}>
        Matches {covers} of the last {examined} recorded calls of <RevealedText text={approval.tool.name} />.
      </p>
      {calls.length > 0 ? (
        <ul className={classes.calls} aria-label="Recorded calls that match">
          {calls.map(({ callId, seen }) => (
            <li key={callId} className={`${classes.call} ${shared.oneLine}`}>
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
