"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { agentQueries } from "@/components/agents/queries";
import { call } from "@/components/api/call";
import { useRefusal } from "@/components/shell/me";
import { EffectBoxes } from "@/components/tools/effect-boxes";
import { limitWords } from "@/components/tools/effect-words";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { MachineText } from "@/components/ui/machine-text";
import rows from "@/components/ui/rows.module.css";
import { type Agent, agentEndpoints } from "@/contracts/agents";
import type { ToolEffect } from "@/contracts/tools";
import classes from "./settings.module.css";

/** An agent and the effects that its calls may have, which are saved as they are ticked. */
export function AgentRow({ agent }: { agent: Agent }) {
  const client = useQueryClient();
  const refusal = useRefusal("agents:write");
  const { queryKey } = agentQueries.list();
  const show = (changed: Agent) =>
    client.setQueryData(
      queryKey,
      (list) => list && { ...list, items: list.items.map((known) => (known.id === changed.id ? changed : known)) },
    );
  const save = useMutation({
    // One after the other: each starts from the version that the one before it made.
    scope: { id: `agent ${agent.id}` },
    mutationFn: (allowedEffects: ToolEffect[] | null) => {
      const { id, name, description, disclosureMode, sharedFolder, version } =
        client.getQueryData(queryKey)?.items.find((known) => known.id === agent.id) ?? agent;
      const body = { name, description, disclosureMode, sharedFolder, allowedEffects };
      return call(agentEndpoints.update, { params: { id }, body }, { version });
    },
    onMutate: (allowedEffects) => show({ ...agent, allowedEffects }),
    onError: () => client.invalidateQueries({ queryKey }),
    onSuccess: (saved) => {
      show(saved);
      notifications.show({ message: `Calls of ${saved.name} ${limitWords(saved.allowedEffects) ?? "may have every effect"}` });
    },
  });
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={classes.what}>
        <p className={classes.name}>
          <MachineText>{agent.name}</MachineText>{" "}
          {agent.isDefault && agent.name !== "default" ? <span className={classes.you}>default</span> : null}
        </p>
        {agent.description ? <p className={classes.scopes}>{agent.description}</p> : null}
      </div>
      <div className={classes.effects}>
        <DisabledReason reason={refusal}>
          <EffectBoxes
            label={`Calls of ${agent.name} may`}
            isLabelHidden
            allowed={agent.allowedEffects}
            disabled={refusal !== null}
            onChange={(allowed) => save.mutate(allowed)}
          />
        </DisabledReason>
      </div>
    </li>
  );
}
