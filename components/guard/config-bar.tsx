"use client";

import { Alert, Button, Select, Switch } from "@mantine/core";
import { IconShieldOff } from "@tabler/icons-react";
import { useRefusal } from "@/components/shell/me";
import { confirmAction } from "@/components/ui/confirm-action";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { defaultPolicies, type GuardConfig, type GuardConfigPatch } from "@/contracts/guard";
import classes from "./config-bar.module.css";
import { offerUndo } from "./offer-undo";
import { approvalTimes, policyWords } from "./policy-words";
import { useChangeConfig } from "./use-change-guard";

/** The guard's switch, what happens when no rule matches, and how long a person has to answer. */
export function ConfigBar({ config }: { config: GuardConfig }) {
  const refusal = useRefusal("guard:write");
  const { mutateAsync, isPending } = useChangeConfig();
  const change = (patch: GuardConfigPatch) => mutateAsync({ config, patch });

  const changeWithUndo = async (title: string, patch: GuardConfigPatch, before: GuardConfigPatch) => {
    const saved = await change(patch);
    offerUndo({ title, onUndo: () => mutateAsync({ config: saved, patch: before }) });
  };
  const turnOff = () =>
    confirmAction({
      title: "Turn the guard off?",
      children: (
        <>
          Every call of every agent runs at once: no rule is tried and nobody is asked. Only what can never be allowed, such as deleting the
          whole disk, stays denied. Calls that wait for an answer now still wait.
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
          <p className={classes.off}>Every call runs without a question.</p>
          <Button color="red" disabled={refusal !== null} onClick={() => void change({ enabled: true })}>
            Turn the guard on
          </Button>
        </Alert>
      )}
      <section className={classes.bar} aria-label="How the guard works">
        <div className={classes.part}>
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
        <div className={classes.part}>
          <Select
            label="When no rule matches"
            description={policyWords[config.defaultPolicy].meaning}
            inputWrapperOrder={["label", "input", "description"]}
            data={defaultPolicies.map((value) => ({ value, label: policyWords[value].label }))}
            renderOption={({ option }) => <PolicyOption value={option.value} />}
            value={config.defaultPolicy}
            disabled={refusal !== null}
            allowDeselect={false}
            comboboxProps={{ width: 340, position: "bottom-start" }}
            onChange={(value) => {
              const defaultPolicy = defaultPolicies.find((known) => known === value);
              if (!defaultPolicy || defaultPolicy === config.defaultPolicy) return;
              void changeWithUndo(
                `When no rule matches: ${policyWords[defaultPolicy].label.toLowerCase()}`,
                { defaultPolicy },
                { defaultPolicy: config.defaultPolicy },
              );
            }}
          />
        </div>
        <div className={classes.part}>
          <Select
            label="Time to answer"
            description="Then the call is rejected, and the model is told."
            inputWrapperOrder={["label", "input", "description"]}
            data={timeChoices(config.approvalTimeoutSeconds)}
            value={String(config.approvalTimeoutSeconds)}
            disabled={refusal !== null}
            allowDeselect={false}
            onChange={(value) => {
              const approvalTimeoutSeconds = Number(value);
              if (!value || approvalTimeoutSeconds === config.approvalTimeoutSeconds) return;
              void changeWithUndo(
                "The time to answer was changed",
                { approvalTimeoutSeconds },
                { approvalTimeoutSeconds: config.approvalTimeoutSeconds },
              );
            }}
          />
        </div>
      </section>
    </>
  );
}

function PolicyOption({ value }: { value: string }) {
  const policy = defaultPolicies.find((known) => known === value);
  if (!policy) return null;
  return (
    <div>
      <div>{policyWords[policy].label}</div>
      <div className={classes.meaning}>{policyWords[policy].meaning}</div>
    </div>
  );
}

/** A time that was set through the API stands in the list beside ours. */
function timeChoices(seconds: number): { value: string; label: string }[] {
  const isUsual = approvalTimes.some((time) => time.seconds === seconds);
  const all = isUsual
    ? approvalTimes
    : [...approvalTimes, { seconds, label: `${seconds} seconds` }].toSorted((a, b) => a.seconds - b.seconds);
  return all.map(({ seconds: value, label }) => ({ value: String(value), label }));
}
