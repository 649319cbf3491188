"use client";

import { Chip, Group, SegmentedControl, Select, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { useRefusal } from "@/components/kit/session/me";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { reachWords } from "@/components/nouns/grants/reach-words";
import type { Approval, GrantProposal } from "@/contracts/approvals/approvals";
import { type GrantReach, grantScopes } from "@/contracts/browser/guard/grants";
import { approvalQueries } from "../queries";
import { type RememberChoice, rememberScopes } from "./remember-choices";
import { RememberPreview } from "./remember-preview";

const durations = [
  { value: "1", label: "For an hour" },
  { value: "8", label: "For eight hours" },
  { value: "24", label: "For a day" },
  { value: "168", label: "For a week" },
];

type RememberFieldsProps = { approval: Approval; choice: RememberChoice; onChange: (choice: RememberChoice) => void };

/** Fields for a grant on calls like this one: scope, match and duration. */
export function RememberFields({ approval, choice, onChange }: RememberFieldsProps) {
  const { primaryArgument } = approval.tool;
  const scopes = rememberScopes(approval);
  const noAdmin = useRefusal("admin");
  const { data } = useQuery(approvalQueries.proposals(approval.id));
  const patterns = distinctPatterns(data?.proposals ?? []);
  const [first] = patterns;
  const proposed = first?.pattern ?? "";
  const exactLabel = data?.proposals.find(({ match }) => match.kind === "exact")?.label;
  const choose = (pattern: string): Partial<RememberChoice> => {
    const reach = patterns.find((one) => one.pattern === pattern)?.reach;
    return { match: "pattern", pattern, ...(reach ? { reach } : {}) };
  };
  const change = (part: Partial<RememberChoice>) => onChange({ ...choice, ...part });
  // Proposals that arrive after the choice of a pattern fill in its field, unless somebody typed there.
  const isTyped = useRef(false);
  const fillIn = useEffectEvent((pattern: string) => {
    if (choice.match === "pattern" && choice.pattern === "" && !isTyped.current) change(choose(pattern));
  });
  useEffect(() => {
    if (proposed) fillIn(proposed);
  }, [proposed]);
  return (
    <Stack gap="xs">
      <Select
        label="Remember this decision"
        data={[
          { value: "ask", label: "No" },
          ...grantScopes.flatMap((value) => {
            const label = scopes[value];
            return label === undefined ? [] : [{ value, label, disabled: value !== "conversation" && noAdmin !== null }];
          }),
        ]}
        description={choice.scope === null ? null : "Deny rules and critical findings still win. Revoke under Always allowed."}
        inputWrapperOrder={["label", "input", "description", "error"]}
        value={choice.scope ?? "ask"}
        allowDeselect={false}
        onChange={(value) => change({ scope: grantScopes.find((scope) => scope === value) ?? null })}
      />
      {choice.scope === null ? null : (
        <>
          <SegmentedControl
            aria-label="Which calls"
            data={[
              { value: "exact", label: "Exactly these arguments" },
              { value: "pattern", label: "A pattern" },
            ]}
            value={choice.match}
            onChange={(value) => change(value === "pattern" ? choose(choice.pattern || proposed) : { match: "exact" })}
          />
          {choice.match === "pattern" ? (
            <TextInput
              label={primaryArgument ? `Pattern for ${primaryArgument}` : "Pattern for the arguments as JSON"}
              description="RE2 syntax. The pattern must match this call; for a shell command, every part."
              placeholder="^git (status|log)\b"
              maxLength={1_000}
              spellCheck={false}
              autoComplete="off"
              value={choice.pattern}
              onChange={(event) => {
                isTyped.current = true;
                change({ pattern: event.currentTarget.value });
              }}
            />
          ) : null}
          {choice.match === "pattern" && patterns.length > 0 ? (
            <PatternChips patterns={patterns} chosen={choice.pattern} onChoose={(pattern) => change(choose(pattern))} />
          ) : null}
          {choice.match === "pattern" && choice.reach ? (
            <p className={`${shared.small} ${shared.wrapping}`}>{reachWords(choice.reach)}</p>
          ) : null}
          {choice.match === "exact" && exactLabel ? (
            <p className={`${shared.small} ${shared.wrapping}`}>
              Covers <RevealedText text={exactLabel} />.
            </p>
          ) : null}
          {choice.match === "pattern" ? (
            <RememberPreview
              approval={approval}
              pattern={choice.pattern}
              reach={choice.reach}
              onTake={(closed) => change(choose(closed))}
            />
          ) : null}
          <DurationField choice={choice} onChange={(hours) => change({ hours })} />
        </>
      )}
    </Stack>
  );
}

type PatternChipsProps = { patterns: ReturnType<typeof distinctPatterns>; chosen: string; onChoose: (pattern: string) => void };

function PatternChips({ patterns, chosen, onChoose }: PatternChipsProps) {
  return (
    <Chip.Group
      value={chosen}
      onChange={(value) => {
        if (typeof value === "string") onChoose(value);
      }}
    >
      <Group gap="xs" role="group" aria-label="Proposed patterns">
        {patterns.map(({ pattern, label, covers }) => (
          <Chip key={pattern} value={pattern} size="xs">
            <RevealedText text={label} /> ({covers} recorded)
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}

function DurationField({ choice, onChange }: { choice: RememberChoice; onChange: (hours: number | null) => void }) {
  return (
    <Select
      label="How long"
      placeholder={choice.scope === "conversation" ? "Until the conversation is deleted" : "Until it is revoked"}
      data={durations}
      clearable
      value={choice.hours === null ? null : String(choice.hours)}
      onChange={(value) => onChange(value === null ? null : Number(value))}
    />
  );
}

/** Returns the proposed patterns without duplicates, narrowest first. */
function distinctPatterns(proposals: readonly GrantProposal[]) {
  const found = new Map<string, { pattern: string; label: string; covers: number; reach: GrantReach | undefined }>();
  for (const { match, label, covers } of proposals) {
    if (match.kind === "pattern" && !found.has(match.pattern))
      found.set(match.pattern, { pattern: match.pattern, label, covers, reach: match.reach });
  }
  return [...found.values()];
}
