import { MultiSelect, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { agentQueries } from "./queries";

/** Fields of an agent that works with other agents. `delegates`: ids of agents; null for all that may be asked. */
export type DelegationValues = { mayBeAsked: boolean; offeredAsTool: boolean; delegates: string[] | null };

type DelegationFieldsProps = {
  agentId: string;
  name: string;
  values: DelegationValues;
  errors: Partial<Record<string, React.ReactNode>>;
  disabled: boolean;
  onChange: (values: DelegationValues) => void;
};

/** Fields for the agents that may hand tasks to an agent, and those that it may hand tasks to. */
export function DelegationFields({ agentId, name, values, errors, disabled, onChange }: DelegationFieldsProps) {
  const agents = useQuery(agentQueries.list());
  const { mayBeAsked, offeredAsTool, delegates } = values;
  const others = agents.data?.items.filter(({ id }) => id !== agentId) ?? [];
  const known = new Set(others.map(({ id }) => id));
  const data = [
    ...others.map((other) => ({
      value: other.id,
      label: other.mayBeAsked ? spellHidden(other.name) : spellHidden(`${other.name} (may not be asked yet)`),
    })),
    ...(delegates ?? [])
      .filter((id) => !known.has(id))
      .map((id) => ({ value: id, label: agents.isPending ? "…" : "An agent that was removed" })),
  ];
  return (
    <>
      <Switch
        label="May be asked by other agents"
        description="Other agents see its name and description and can hand tasks to it. Its calls go through the guard as always."
        checked={mayBeAsked}
        disabled={disabled}
        onChange={(event) => onChange({ ...values, mayBeAsked: event.currentTarget.checked })}
      />
      <Switch
        label="Offer as a tool"
        description={spellHidden(`Agents that tick the tool agent_${name} can call it by that name.`)}
        checked={offeredAsTool}
        disabled={disabled}
        error={errors.offeredAsTool}
        onChange={(event) => onChange({ ...values, offeredAsTool: event.currentTarget.checked })}
      />
      <MultiSelect
        label="May ask"
        description="Agents to which it may hand tasks. Empty: every agent that may be asked."
        data={data}
        searchable
        clearable
        disabled={disabled}
        value={delegates ?? []}
        error={errors.delegates}
        onChange={(ids) => onChange({ ...values, delegates: ids.length > 0 ? ids : null })}
      />
    </>
  );
}
