"use client";

import { Switch } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import dynamic from "next/dynamic";
import { useRefusal } from "@/components/kit/session/me";
import { SettingsSection } from "@/components/kit/settings-frame/settings-section";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import shared from "@/components/kit/ui/shared.module.css";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { delegationQueries } from "@/components/nouns/delegation/queries";
import type { DelegationSettings } from "@/contracts/browser/agents/delegation";
import { useSaveDelegation } from "./use-save-delegation";

// Loaded apart, because few workspaces allow programs.
const AgentPrograms = dynamic(async () => (await import("./agent-programs")).AgentPrograms, {
  ssr: false,
  loading: () => <RowSkeletons rows={1} height={4} what="the agent programs" />,
});

/** The switch that pauses the handing of tasks to agents. */
export function DelegationSection() {
  return (
    <SettingsSection
      id="delegation"
      title="Agents at work"
      description="Agents hand tasks to agents that may be asked. An agent's own settings say which ones these are."
      query={delegationQueries.settings()}
      what="the delegation settings"
      height={4}
    >
      {(settings) => (
        <>
          <PauseSwitch settings={settings} />
          <AgentPrograms settings={settings} />
        </>
      )}
    </SettingsSection>
  );
}

function PauseSwitch({ settings: { paused } }: { settings: DelegationSettings }) {
  const refusal = useRefusal("agents:write");
  const save = useSaveDelegation((saved) =>
    notifications.show({ message: saved.paused ? "Agents hand no new tasks on" : "Agents hand tasks on again" }),
  );
  return (
    <div className={shared.story}>
      <DisabledReason reason={refusal}>
        <Switch
          label="Pause"
          description="Agents hand no new tasks on. Tasks under way go on."
          checked={paused}
          disabled={refusal !== null || save.isPending}
          onChange={(event) => save.mutate({ paused: event.currentTarget.checked })}
        />
      </DisabledReason>
    </div>
  );
}
