"use client";

import { MultiSelect } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { type Skill, skillEndpoints } from "@/contracts/browser/skills/skills";
import { skillQueries } from "./queries";
import { stateWords } from "./skill-words";

/** The skills that are bound to an agent. */
export function AgentSkills({ agentId, skillsDisabled }: { agentId: string; skillsDisabled: boolean }) {
  const skills = useQuery(skillQueries.every());
  const bound = useQuery(skillQueries.boundTo(agentId));
  return (
    <Loaded query={skills} what="the skills" rows={2} height={3}>
      {(all) => (
        <Loaded query={bound} what="the skills of the agent" rows={2} height={3}>
          {({ skills: ids }) => <Binding key={ids.join()} agentId={agentId} all={all} bound={ids} skillsDisabled={skillsDisabled} />}
        </Loaded>
      )}
    </Loaded>
  );
}

type BindingProps = { agentId: string; all: readonly Skill[]; bound: readonly string[]; skillsDisabled: boolean };

function Binding({ agentId, all, bound, skillsDisabled }: BindingProps) {
  const client = useQueryClient();
  const refusal = useRefusal("skills:write");
  const [chosen, setChosen] = useState([...bound]);
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: () => call(skillEndpoints.bindToAgent, { params: { id: agentId }, body: { skills: chosen } }),
    onSuccess: () => client.invalidateQueries({ queryKey: skillQueries.all() }),
  });
  const ready = all.filter(({ state }) => state === "ready").length;
  const readyOf = chosen.filter((id) => all.some((skill) => skill.id === id && skill.state === "ready")).length;
  const words = skillsDisabled
    ? "The setting No skills is on, so the agent has none."
    : chosen.length === 0
      ? `None is bound, so the agent has all ready skills of the workspace: ${ready}.`
      : `The agent has ${readyOf} of the ${chosen.length} bound skills, because only ready ones reach it, and no others.`;
  return (
    <form
      className={shared.stack}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <p className={shared.paragraph}>{words}</p>
      <MultiSelect
        label="Bound skills"
        placeholder={chosen.length === 0 ? "All ready skills" : undefined}
        data={all.map(({ id, name, state }) => ({
          value: id,
          label: spellHidden(state === "ready" ? name : `${name} (${stateWords[state].word.toLowerCase()})`),
        }))}
        searchable
        clearable
        hidePickedOptions
        limit={100}
        nothingFoundMessage="No skill fits"
        disabled={refusal !== null}
        value={chosen}
        onChange={setChosen}
      />
      <div>
        <RefusableButton
          refusal={refusal}
          type="submit"
          loading={save.isPending}
          disabled={[...chosen].sort().join() === [...bound].sort().join()}
        >
          Save skills
        </RefusableButton>
      </div>
    </form>
  );
}
