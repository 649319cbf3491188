"use client";

import { SegmentedControl, Select, Stack, TextInput } from "@mantine/core";
import { scopeWords } from "@/components/grants/grant-words";
import { useRefusal } from "@/components/shell/me";
import type { ApprovalAnswer } from "@/contracts/approvals";
import { type GrantScope, grantScopes } from "@/contracts/grants";

/** What a person chose to allow in advance; a null scope: nothing. */
export type RememberChoice = { scope: GrantScope | null; match: "exact" | "pattern"; pattern: string; hours: number | null };

export const rememberNothing: RememberChoice = { scope: null, match: "exact", pattern: "", hours: null };

const durations = [
  { value: "1", label: "For an hour" },
  { value: "8", label: "For eight hours" },
  { value: "24", label: "For a day" },
  { value: "168", label: "For a week" },
];

/** The part of an answer that a choice stands for. */
export function rememberedBy({ scope, match, pattern, hours }: RememberChoice): Pick<ApprovalAnswer, "remember"> {
  if (scope === null) return {};
  const expiresAt = hours === null ? {} : { expiresAt: new Date(Date.now() + hours * 3_600_000).toISOString() };
  const matched = match === "exact" ? ("exact" as const) : { kind: "pattern" as const, parameter: null, pattern };
  return { remember: { scope, match: matched, note: "", ...expiresAt } };
}

/** Why a choice cannot be sent yet; null when it can. */
export function whyIncomplete({ scope, match, pattern }: RememberChoice): string | null {
  return scope !== null && match === "pattern" && pattern.trim() === "" ? "Write the pattern that calls have to match." : null;
}

type RememberFieldsProps = { primaryArgument: string | null; choice: RememberChoice; onChange: (choice: RememberChoice) => void };

/** Whether calls like this one pass without a question from now on: for whom, which, and how long. */
export function RememberFields({ primaryArgument, choice, onChange }: RememberFieldsProps) {
  const noAdmin = useRefusal("admin");
  const change = (part: Partial<RememberChoice>) => onChange({ ...choice, ...part });
  return (
    <Stack gap="xs">
      <Select
        label="From now on"
        data={[
          { value: "ask", label: "Ask each time" },
          ...grantScopes.map((value) => ({
            value,
            label: `Allow: ${scopeWords[value].charAt(0).toLowerCase()}${scopeWords[value].slice(1)}`,
            disabled: value !== "conversation" && noAdmin !== null,
          })),
        ]}
        description={
          choice.scope === null ? null : "Never over a rule that denies, and never for what is critical. Approvals lists it, to be revoked."
        }
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
            onChange={(value) => change({ match: value === "pattern" ? "pattern" : "exact" })}
          />
          {choice.match === "pattern" ? (
            <TextInput
              label={primaryArgument ? `Pattern for ${primaryArgument}` : "Pattern for the arguments as JSON"}
              description="RE2 syntax. It must match this call; of a shell command, every part."
              placeholder="^git (status|log)\b"
              maxLength={1_000}
              spellCheck={false}
              autoComplete="off"
              value={choice.pattern}
              onChange={(event) => change({ pattern: event.currentTarget.value })}
            />
          ) : null}
          <Select
            label="How long"
            placeholder={choice.scope === "conversation" ? "Until the conversation is deleted" : "Until it is revoked"}
            data={durations}
            clearable
            value={choice.hours === null ? null : String(choice.hours)}
            onChange={(value) => change({ hours: value === null ? null : Number(value) })}
          />
        </>
      )}
    </Stack>
  );
}
