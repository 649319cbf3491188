"use client";

import { Select, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { DrawerFrame } from "@/components/kit/ui/overlays/drawer-frame";
import { Facts } from "@/components/kit/ui/page/facts";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { TokenCount } from "@/components/kit/ui/text/token-count";
import { toolQueries } from "@/components/nouns/tools/queries";
import { TryTool } from "@/components/pages/try-call/try-tool";
import { type ToolFormat, toolFormats } from "@/contracts/browser/conversations/conversations";
import classes from "./model-view-drawer.module.css";
import { chatQueries } from "./queries";

const formatWords: Record<ToolFormat, string> = {
  openai: "OpenAI, chat completions",
  "openai-responses": "OpenAI, responses",
  anthropic: "Anthropic",
  gemini: "Gemini",
  mcp: "MCP",
  handrail: "Handrail",
};

type ModelViewDrawerProps = { agent: string; requireConversation: () => Promise<string>; onClose: () => void };

/** For authors of agent runtimes: the tools as a model gets them, and a form that submits a call. */
export function ModelViewDrawer({ agent, requireConversation, onClose }: ModelViewDrawerProps) {
  return (
    <DrawerFrame opened onClose={onClose} size="44rem" title={`Playground of ${agent}`} holds="story">
      <Tabs defaultValue="tools" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="tools">What the model sees</Tabs.Tab>
          <Tabs.Tab value="call">Submit a call</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="tools">
          <ShownTools requireConversation={requireConversation} />
        </Tabs.Panel>
        <Tabs.Panel value="call">
          <SubmitCall agent={agent} />
        </Tabs.Panel>
      </Tabs>
    </DrawerFrame>
  );
}

function ShownTools({ requireConversation }: { requireConversation: () => Promise<string> }) {
  const [format, setFormat] = useState<ToolFormat>("openai");
  const [conversation, setConversation] = useState<{ id: string } | { error: unknown } | null>(null);
  const open = useEffectEvent(() =>
    requireConversation().then(
      (id) => setConversation({ id }),
      (error) => setConversation({ error }),
    ),
  );
  useEffect(() => void open(), []);
  const id = conversation && "id" in conversation ? conversation.id : null;
  const { data, error, refetch, isRefetching } = useQuery({ ...chatQueries.shownTools(id ?? "", format), enabled: id !== null });
  const failure = conversation && "error" in conversation ? conversation.error : error;
  return (
    <div className={shared.story}>
      <Select
        label="Format"
        data={toolFormats.map((value) => ({ value, label: formatWords[value] }))}
        value={format}
        allowDeselect={false}
        onChange={(value) => setFormat(toolFormats.find((known) => known === value) ?? "openai")}
      />
      {data ? (
        <>
          <Facts
            facts={[
              ["Tools", <TokenCount key="tools" tokens={data.tokens.tools} />],
              ["Directory and hints", <TokenCount key="directory" tokens={data.tokens.directory} />],
              ["Saved by the directory", <TokenCount key="saved" tokens={data.tokens.saved} />],
            ]}
          />
          {data.warnings.length > 0 ? (
            <ul className={classes.warnings} aria-label="Warnings">
              {data.warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          ) : null}
          {data.leftOut.length > 0 ? (
            <ul className={classes.warnings} aria-label="Left out">
              {data.leftOut.map(({ tool, reason }) => (
                <li key={tool}>
                  {tool}: <RevealedText text={reason} />
                </li>
              ))}
            </ul>
          ) : null}
          <CodeBlock label="Tools" text={JSON.stringify(data.tools, null, 2)} nowrap maxLines={24} />
          {data.directory ? <CodeBlock label="Directory, for the system prompt" text={data.directory} maxLines={16} /> : null}
          {data.hints ? <CodeBlock label="Hints, for the system prompt" text={data.hints} maxLines={12} /> : null}
          <CodeBlock label="Request" text={`GET /api/v1/conversations/${id}/tools?format=${format}`} />
        </>
      ) : failure ? (
        <ErrorState error={failure} what="the tools" retry={() => void (id === null ? open() : refetch())} retrying={isRefetching} />
      ) : (
        <RowSkeletons rows={3} height={5} what="the tools" />
      )}
    </div>
  );
}

function SubmitCall({ agent }: { agent: string }) {
  const { data: tools } = useQuery(toolQueries.list());
  const [tool, setTool] = useState<string | null>(null);
  return (
    <div className={shared.story}>
      <Select
        label="Tool"
        description="The call is submitted as a turn, in a conversation of its own."
        inputWrapperOrder={["label", "input", "description", "error"]}
        placeholder="Choose a tool"
        data={(tools ?? []).filter(({ enabled }) => enabled).map(({ name }) => name)}
        value={tool}
        searchable
        onChange={setTool}
      />
      {tool ? <TryTool key={tool} toolName={tool} agent={agent} /> : null}
    </div>
  );
}
