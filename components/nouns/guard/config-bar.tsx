"use client";

import { Alert, Button, Select, type SelectProps, Switch } from "@mantine/core";
import { IconShieldOff } from "@tabler/icons-react";
import { useRefusal } from "@/components/kit/session/me";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import { offerUndo } from "@/components/kit/ui/overlays/offer-undo";
import shared from "@/components/kit/ui/shared.module.css";
import { SandboxLine } from "@/components/nouns/sandbox/sandbox-line";
import { useSandboxOn } from "@/components/nouns/sandbox/use-sandbox-on";
import { type RequesterMayDecide, requesterMayDecide } from "@/contracts/browser/decisions/approvers";
import { defaultPolicies, type GuardConfig, type GuardConfigPatch } from "@/contracts/browser/guard/guard";
import classes from "./config-bar.module.css";
import { approvalTimes, policyWords } from "./policy-words";
import { useChangeConfig } from "./use-change-guard";

const requesterChoices: { value: RequesterMayDecide; label: string }[] = [
  { value: "always", label: "Requester may decide" },
  { value: "not_critical", label: "Except critical calls" },
  { value: "never", label: "Another person decides" },
];

/** The guard's switch, the default policy, and the time that people have to answer. */
export function ConfigBar({ config }: { config: GuardConfig }) {
  const refusal = useRefusal("guard:write");
  const isSandboxOn = useSandboxOn();
  const { mutate, mutateAsync, isPending } = useChangeConfig();
  const change = (patch: GuardConfigPatch) => mutateAsync({ config, patch });

  const changeWithUndo = async (title: string, patch: GuardConfigPatch, before: GuardConfigPatch) => {
    const saved = await change(patch);
    offerUndo(title, () => mutate({ config: saved, patch: before }));
  };
  const choice = {
    inputWrapperOrder: ["label", "input", "description"],
    disabled: refusal !== null,
    allowDeselect: false,
  } satisfies SelectProps;
  const turnOff = () =>
    confirmAction({
      title: "Turn the guard off?",
      children: (
        <>
          Every call of every agent runs without rules and approvals. Only the hard floor, such as deleting the whole disk, stays denied.
          Pending approvals stay pending.
        </>
      ),
      action: "Turn the guard off",
      word: "turn off",
      onConfirm: () => change({ enabled: false }),
    });

  return (
    <>
      {config.enabled ? null : (
        <Alert color="red" variant="outline" icon={<IconShieldOff aria-hidden />} title="The guard is off" mb="md" role="alert">
          <p className={classes.off}>Every call runs without approval.</p>
          <Button color="red" disabled={refusal !== null} onClick={() => void change({ enabled: true })}>
            Turn the guard on
          </Button>
        </Alert>
      )}
      <section className={`${classes.bar} ${shared.surface}`} aria-label="How the guard works">
        <div className={shared.shrinks}>
          <DisabledReason reason={refusal}>
            <Switch
              size="md"
              label="Guard"
              description={config.enabled ? "On: every call is checked" : "Off: every call runs"}
              checked={config.enabled}
              disabled={refusal !== null || isPending}
              onChange={(event) => (event.currentTarget.checked ? void change({ enabled: true }) : turnOff())}
            />
          </DisabledReason>
        </div>
        <div className={shared.shrinks}>
          <Select
            {...choice}
            label="When no rule matches"
            description={policyWords(config.defaultPolicy, isSandboxOn).meaning}
            data={defaultPolicies.map((value) => ({ value, label: policyWords(value, isSandboxOn).label }))}
            renderOption={({ option }) => <PolicyOption value={option.value} isSandboxOn={isSandboxOn} />}
            value={config.defaultPolicy}
            comboboxProps={{ width: 340, position: "bottom-start" }}
            onChange={(value) => {
              const defaultPolicy = defaultPolicies.find((known) => known === value);
              if (!defaultPolicy || defaultPolicy === config.defaultPolicy) return;
              void changeWithUndo(
                `When no rule matches: ${policyWords(defaultPolicy, isSandboxOn).label.toLowerCase()}`,
                { defaultPolicy },
                { defaultPolicy: config.defaultPolicy },
              );
            }}
          />
        </div>
        <div className={shared.shrinks}>
          <Select
            {...choice}
            label="Approval timeout"
            description="After that the call is rejected."
            data={timeChoices(config.approvalTimeoutSeconds)}
            value={String(config.approvalTimeoutSeconds)}
            onChange={(value) => {
              const approvalTimeoutSeconds = Number(value);
              if (!value || approvalTimeoutSeconds === config.approvalTimeoutSeconds) return;
              void changeWithUndo(
                "Approval timeout changed",
                { approvalTimeoutSeconds },
                { approvalTimeoutSeconds: config.approvalTimeoutSeconds },
              );
            }}
          />
        </div>
        <div className={shared.shrinks}>
          <Select
            {...choice}
            label="Own calls"
            description="Decisions of a person on calls of their own."
            data={requesterChoices}
            value={config.requesterMayDecide}
            onChange={(value) => {
              const chosen = requesterMayDecide.find((known) => known === value);
              if (!chosen || chosen === config.requesterMayDecide) return;
              void changeWithUndo("Own calls changed", { requesterMayDecide: chosen }, { requesterMayDecide: config.requesterMayDecide });
            }}
          />
        </div>
      </section>
      <SandboxLine />
    </>
  );
}

function PolicyOption({ value, isSandboxOn }: { value: string; isSandboxOn: boolean }) {
  const policy = defaultPolicies.find((known) => known === value);
  if (!policy) return null;
  const { label, meaning } = policyWords(policy, isSandboxOn);
  return (
    <div>
      <div>{label}</div>
      <div className={shared.small}>{meaning}</div>
    </div>
  );
}

/** Returns the selectable times, including a custom one that was set through the API. */
function timeChoices(seconds: number): { value: string; label: string }[] {
  const isUsual = approvalTimes.some((time) => time.seconds === seconds);
  const all = isUsual
    ? approvalTimes
    : [...approvalTimes, { seconds, label: `${seconds} seconds` }].toSorted((a, b) => a.seconds - b.seconds);
  return all.map(({ seconds: value, label }) => ({ value: String(value), label }));
}
