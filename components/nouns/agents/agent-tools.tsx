"use client";

import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconSearch } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { toolQueries } from "@/components/nouns/tools/queries";
import { type Agent, type AgentToolsPreview, agentEndpoints } from "@/contracts/browser/agents/agents";
import type { Tool } from "@/contracts/tools/tools";
import classes from "./agents.module.css";
import { agentQueries } from "./queries";
import { changeWords, toolGroups, withTicks } from "./tool-groups";
import { ToolPickerGroup } from "./tool-picker-group";
import { ToolsCost } from "./tools-cost";

const typingPauseMs = 250;

/** Selection of the agent's tools, with their cost in tokens. */
export function AgentTools({ agent }: { agent: Agent }) {
  const saved = useQuery(agentQueries.tools(agent.id));
  const tools = useQuery(toolQueries.list());
  const failed = [saved, tools].find(({ isError, data }) => isError && !data);
  if (failed) {
    const retry = () => void Promise.all([saved.refetch(), tools.refetch()]);
    return <ErrorState error={failed.error} what="the tools of the agent" retry={retry} retrying={saved.isFetching || tools.isFetching} />;
  }
  if (!saved.data || !tools.data) return <RowSkeletons rows={8} height={3} what="the tools of the agent" />;
  return <Picker key={saved.data.version} agent={agent} saved={saved.data} tools={tools.data} />;
}

type PickerProps = { agent: Agent; saved: { tools: string[]; version: number }; tools: readonly Tool[] };

function Picker({ agent, saved, tools }: PickerProps) {
  const client = useQueryClient();
  const refusal = useRefusal("agents:write");
  const [ticked, setTicked] = useState<string[]>(saved.tools);
  const [query, setQuery] = useState("");
  const [asked] = useDebouncedValue(ticked, typingPauseMs);
  const preview = useQuery(agentQueries.preview(agent.id, asked));
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: () => call(agentEndpoints.setTools, { params: { id: agent.id }, body: { tools: ticked } }, { version: saved.version }),
    onSuccess: async (answer) => {
      client.setQueryData(agentQueries.tools(agent.id).queryKey, answer);
      notifications.show({ message: spellHidden(`Tools of ${agent.name} saved`) });
      await client.invalidateQueries({ queryKey: agentQueries.all() });
    },
  });
  const chosen = new Set(ticked);
  const groups = toolGroups(tools, query);
  const shown = groups.flatMap((group) => group.tools.map(({ name }) => name));
  const changes = changeWords(saved.tools, ticked);
  const tick = (names: readonly string[], isTicked: boolean) => setTicked(withTicks(ticked, names, isTicked));

  return (
    <div className={classes.panel}>
      <ToolsCost ticked={ticked.length} mode={agent.disclosureMode} preview={preview.data} />
      {preview.data ? (
        <Unavailable items={preview.data.unavailable} ticked={chosen} refusal={refusal} onUntick={(names) => tick(names, false)} />
      ) : null}
      <div className={shared.bar}>
        <TextInput
          className={classes.search}
          type="search"
          aria-label="Search tools"
          placeholder="Name, alias or description"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Button variant="default" disabled={refusal !== null || shown.length === 0} onClick={() => tick(shown, true)}>
          Tick {query.trim() ? "results" : "all"}
        </Button>
        <Button
          variant="default"
          disabled={refusal !== null || ticked.length === 0}
          onClick={() => tick(query.trim() ? shown : ticked, false)}
        >
          Untick {query.trim() ? "results" : "all"}
        </Button>
      </div>
      {groups.length === 0 ? <p className={`${shared.dim} ${shared.wrapping}`}>No matching tools.</p> : null}
      {groups.map((group) => (
        <ToolPickerGroup
          key={group.source}
          group={group}
          ticked={chosen}
          isLegacy={agent.disclosureMode === "legacy"}
          isDisabled={refusal !== null}
          onTick={tick}
        />
      ))}
      {refusal !== null ? <p className={`${shared.dim} ${shared.wrapping}`}>{refusal}</p> : null}
      {changes === null ? null : (
        <div className={classes.save} role="status">
          <span className={classes.saveWords}>
            {changes}
            {ticked.length === 0 ? ". The agent gets all enabled tools." : ""}
          </span>
          {save.isError ? (
            <p role="alert" className={`${shared.errorText} ${shared.wraps}`}>
              {toErrorSentence(save.error)}
            </p>
          ) : null}
          <Button variant="default" onClick={() => setTicked(saved.tools)}>
            Discard
          </Button>
          <RefusableButton refusal={refusal} loading={save.isPending} onClick={() => save.mutate()}>
            Save tools
          </RefusableButton>
        </div>
      )}
    </div>
  );
}

type UnavailableProps = {
  items: AgentToolsPreview["unavailable"];
  ticked: ReadonlySet<string>;
  refusal: string | null;
  onUntick: (names: readonly string[]) => void;
};

/** Ticked tools that the agent cannot use now, each with the reason and a remedy. */
function Unavailable({ items, ticked, refusal, onUntick }: UnavailableProps) {
  const left = items.filter(({ tool }) => ticked.has(tool));
  if (left.length === 0) return null;
  return (
    <section className={classes.unavailable} aria-label="Ticked, but unavailable">
      <h2 className={shared.subtitle}>Ticked, but unavailable ({left.length})</h2>
      <ul>
        {left.map(({ tool, reason }) => (
          <li key={tool}>
            <span className={`${shared.field} ${shared.fluid}`}>
              <CodeText>
                <RevealedText text={tool} />
              </CodeText>{" "}
              <span className={`${shared.dim} ${shared.wrapping}`}>
                <RevealedText text={reason} />
              </span>
            </span>
            <Button
              variant="default"
              size="compact-sm"
              disabled={refusal !== null}
              aria-label={`Untick ${tool}`}
              onClick={() => onUntick([tool])}
            >
              Untick
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
