import { NativeSelect, Switch } from "@mantine/core";
import { IconBox } from "@tabler/icons-react";
import { VerdictBadge } from "@/components/kit/ui/badges/verdict-badge";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { LockReason } from "@/components/kit/ui/forms/lock-reason";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Verdict } from "@/contracts/decisions/decision";
import type { DetectorSetting, GuardDetector } from "@/contracts/guard/guard";
import classes from "./detector-list.module.css";

const verdictChoices: { value: Verdict; label: string }[] = [
  { value: "allow", label: "Log only" },
  { value: "require_approval", label: "Ask a person" },
  { value: "deny", label: "Deny" },
];

type DetectorRowProps = {
  detector: GuardDetector;
  /** Why the person may not change the detector; null when they may. */
  refusal: string | null;
  onChange: (setting: DetectorSetting) => void;
};

/** One detector: the danger, the reason, the alternative, and the settings of this workspace. */
export function DetectorRow({ detector, refusal, onChange }: DetectorRowProps) {
  const { id, title, severity, explanation, fix, floor, ownVerdict, enabled, verdict, confinedBySandbox } = detector;
  const isChanged = !enabled || verdict !== ownVerdict;
  return (
    <li className={`${rows.row} ${classes.detector}`} data-changed={isChanged || undefined}>
      <div className={shared.shrinks}>
        <div className={`${shared.medium} ${shared.wraps}`}>
          <RevealedText text={title} /> <code className={classes.id}>{id}</code> <span className={classes.severity}>{severity}</span>
          {isChanged ? <span className={classes.changed}>Changed</span> : null}
          {confinedBySandbox ? (
            <span className={classes.confined}>
              <IconBox size={14} stroke={1.8} aria-hidden />
              In the sandbox: note only
            </span>
          ) : null}
        </div>
        <p className={classes.explanation}>{explanation}</p>
        <p className={classes.fix}>Safer: {fix}</p>
      </div>
      <div className={classes.controls}>
        {floor ? (
          <>
            <VerdictBadge verdict={verdict} />
            <LockReason reason="Hard floor: no rule, approval or setting can allow this." />
          </>
        ) : (
          <Controls detector={detector} refusal={refusal} onChange={onChange} />
        )}
      </div>
    </li>
  );
}

function Controls({ detector, refusal, onChange }: DetectorRowProps) {
  const { title, relaxable, ownVerdict, enabled, verdict } = detector;
  const own = verdictChoices.findIndex(({ value }) => value === ownVerdict);
  const choices = verdictChoices
    .filter((_, index) => relaxable || index >= own)
    .map((choice) => (choice.value === ownVerdict ? { ...choice, label: `${choice.label} (default)` } : choice));
  const locked = refusal ?? (relaxable ? null : "This detector can be made stricter, but not switched off.");
  const set = (next: Verdict, on: boolean) => onChange({ enabled: on, ...(next === ownVerdict ? {} : { verdict: next }) });
  return (
    <>
      <DisabledReason reason={refusal}>
        <NativeSelect
          aria-label={`Verdict of ${title}`}
          size="sm"
          data={choices}
          value={verdict}
          disabled={refusal !== null || !enabled}
          onChange={({ currentTarget }) => {
            const chosen = choices.find(({ value }) => value === currentTarget.value);
            if (chosen) set(chosen.value, enabled);
          }}
        />
      </DisabledReason>
      <DisabledReason reason={locked}>
        <Switch
          aria-label={`${title} is ${enabled ? "on" : "off"}`}
          checked={enabled}
          disabled={locked !== null}
          onChange={({ currentTarget }) => set(verdict, currentTarget.checked)}
        />
      </DisabledReason>
    </>
  );
}
