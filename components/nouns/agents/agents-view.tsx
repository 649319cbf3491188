"use client";

import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useGoTo } from "@/components/kit/api/waiting-navigation";
import { useShortcuts } from "@/components/kit/keyboard/shortcuts";
import { useRowKeys } from "@/components/kit/keyboard/use-row-keys";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { RowLink } from "@/components/kit/ui/lists/row-link";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import shared from "@/components/kit/ui/shared.module.css";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { plainPreview } from "@/components/kit/ui/text/plain-preview";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { limitWords } from "@/components/nouns/tools/effect-words";
import type { Agent } from "@/contracts/agents/agents";
import classes from "./agents.module.css";
import { agentQueries } from "./queries";

const NewAgent = dynamic(async () => (await import("./new-agent")).NewAgent, { ssr: false });

/** The agents of the workspace, each with a link to its page. */
export function AgentsView() {
  const agents = useQuery(agentQueries.list());
  const refusal = useRefusal("agents:write");
  const [isAdding, setIsAdding] = useState(false);
  useRowKeys("Agents");
  const add = () => {
    if (refusal === null) setIsAdding(true);
  };
  useShortcuts([{ keys: "n", label: "New agent", group: "Agents", run: add }]);
  return (
    <>
      <PageHeader title="Agents" description="Each agent has its own tools, limits and API keys.">
        <RefusableButton refusal={refusal} leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
          New agent
        </RefusableButton>
      </PageHeader>
      <Loaded query={agents} what="the agents" rows={2} height={3.75}>
        {(data) => (
          <ul className={rows.rows}>
            {data.items.map((agent) => (
              <AgentRow key={agent.id} agent={agent} />
            ))}
          </ul>
        )}
      </Loaded>
      {isAdding ? <NewAgent opened onClose={() => setIsAdding(false)} /> : null}
    </>
  );
}

function AgentRow({ agent }: { agent: Agent }) {
  const goTo = useGoTo();
  const href = `/agents/${agent.id}`;
  const limit = limitWords(agent.allowedEffects);
  return (
    <li className={`${rows.row} ${classes.row} ${shared.spread}`}>
      <div className={classes.what}>
        <p className={classes.title}>
          <RowLink className={`${classes.name} ${shared.mono}`} href={href} onOpen={() => goTo(href)}>
            <RevealedText text={agent.name} />
          </RowLink>
          {agent.isDefault ? <span className={shared.small}>Default agent</span> : null}
        </p>
        {agent.description ? (
          <p className={`${shared.dim} ${shared.wrapping}`}>
            <RevealedText text={plainPreview(agent.description)} />
          </p>
        ) : null}
      </div>
      <p className={`${classes.facts} ${shared.small} ${shared.wrapping}`}>
        <span>{toolsWords(agent.tickedTools)}</span>
        {limit ? <span>{limit}</span> : null}
        {agent.disclosureMode === "legacy" ? <span>full schemas</span> : null}
        {agent.disclosureMode === "none" ? <span>no tools</span> : null}
      </p>
    </li>
  );
}

const toolsWords = (ticked: number): string => (ticked === 0 ? "all tools" : `${ticked} ticked ${ticked === 1 ? "tool" : "tools"}`);
