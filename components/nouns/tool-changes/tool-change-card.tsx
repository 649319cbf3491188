"use client";

import { IconCheck, IconX } from "@tabler/icons-react";
import { useRefusal } from "@/components/kit/session/me";
import { RiskMark } from "@/components/kit/ui/badges/risk-mark";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { EffectLabel } from "@/components/nouns/tools/effect-label";
import type { ToolChange } from "@/contracts/tools/tool-changes";
import { ChangeComparison } from "./change-comparison";
import { changedName, isOfInstructions } from "./changed-name";
import { FindingLines } from "./finding-lines";
import classes from "./tool-changes.module.css";
import { useDecidePin } from "./use-decide-pin";

/** A change of a tool with its findings, its comparison and the two answers. */
export function ToolChangeCard({ change }: { change: ToolChange }) {
  const refusal = useRefusal("tools:write");
  const decide = useDecidePin();
  const { effect, findings, status, risk } = change;
  const name = changedName(change);
  const asked = decide.isPending ? decide.variables.decision : null;
  return (
    <article className={classes.card} aria-label={`Change of ${name}`}>
      <header className={shared.inline}>
        <h3 className={`${classes.name} ${shared.mono}`}>
          <RevealedText text={name} />
        </h3>
        <RiskMark risk={risk} />
        <span className={classes.seen}>
          {change.server.alias} · <RelativeTime at={change.seenAt} />
        </span>
      </header>
      <p className={shared.flush}>{sentenceOf(change)}</p>
      {effect.before && effect.before !== effect.after ? (
        <p className={`${shared.flush} ${shared.inline}`}>
          <EffectLabel effect={effect.before} />
          <span aria-hidden>→</span>
          <span className={shared.spoken}>becomes</span>
          <EffectLabel effect={effect.after} />
        </p>
      ) : null}
      <FindingLines findings={findings} />
      <ChangeComparison change={change} />
      <footer className={shared.inline}>
        <RefusableButton
          refusal={refusal}
          leftSection={<IconCheck size={16} aria-hidden />}
          disabled={decide.isPending}
          loading={asked === "approve"}
          onClick={() => decide.mutate({ change, decision: "approve" })}
        >
          {change.before ? "Approve change" : isOfInstructions(change) ? "Approve instructions" : "Approve tool"}
        </RefusableButton>
        {status === "rejected" ? null : (
          <RefusableButton
            refusal={refusal}
            variant="default"
            leftSection={<IconX size={16} aria-hidden />}
            disabled={decide.isPending}
            loading={asked === "reject"}
            onClick={() => decide.mutate({ change, decision: "reject" })}
          >
            Reject
          </RefusableButton>
        )}
      </footer>
    </article>
  );
}

function sentenceOf(change: ToolChange): string {
  const { kind, status, renamedFrom, decidedBy } = change;
  if (isOfInstructions(change)) return instructionsSentence(change);
  if (status === "rejected") return `${decidedBy?.name ?? "Somebody"} rejected this definition. The tool stays off.`;
  switch (kind) {
    case "changed":
      return "The server changed this tool. Calls are refused until a person decides.";
    case "renamed":
      return `This new tool has the content of ${renamedFrom ?? "another tool"}, or its name in another spelling. Calls are refused until a person decides.`;
    case "flagged":
      return "This tool is new and its definition looks poisoned. Calls are refused until a person decides.";
  }
}

function instructionsSentence({ kind, status, decidedBy }: ToolChange): string {
  if (status === "rejected") return `${decidedBy?.name ?? "Somebody"} rejected these instructions. No model reads them.`;
  return kind === "flagged"
    ? "The server's instructions look poisoned. No model reads them until a person decides."
    : "The server changed its instructions. Models read the accepted ones until a person decides.";
}
