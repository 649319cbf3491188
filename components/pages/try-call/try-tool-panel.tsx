"use client";

import { Button } from "@mantine/core";
import { IconCheck, IconCopy, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { useMe, useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { copyText } from "@/components/kit/ui/text/copy-text";
import { agentQueries } from "@/components/nouns/agents/queries";
import { toArgumentDraft, toArguments } from "@/components/nouns/call-form/argument-draft";
import { argumentFields, missingArguments, startingArguments } from "@/components/nouns/call-form/argument-fields";
import { ArgumentForm } from "@/components/nouns/call-form/argument-form";
import { useEvaluation } from "@/components/nouns/guard/try/use-evaluation";
import type { JsonObject } from "@/contracts/common";
import type { EvaluatedContext } from "@/contracts/guard/rule-conditions";
import type { Tool } from "@/contracts/tools/tools";
import { callAsCurl } from "./call-as-curl";
import { EvaluationLine } from "./evaluation-line";
import { TriedCall } from "./tried-call";
import { consoleChannel, findTryConversation, useTryCall } from "./use-try-call";

type TryToolPanelProps = {
  tool: Tool;
  initialArguments: JsonObject | undefined;
  /** Name of the calling agent; absent: the default agent. */
  agent: string | undefined;
};

/** Tries one tool: its arguments, the guard's decision while the person types, the run, and the result. */
export function TryToolPanel({ tool, initialArguments, agent: asked }: TryToolPanelProps) {
  const me = useMe();
  const refusal = useRefusal("turns:write");
  const agents = useQuery(agentQueries.list());
  const agent = asked ?? agents.data?.items.find(({ isDefault }) => isDefault)?.name ?? null;
  const [draft, setDraft] = useState(() => toArgumentDraft(initialArguments ?? startingArguments(tool)));
  const [showsMissing, setShowsMissing] = useState(false);
  const { submit, turn, beginAnew } = useTryCall(tool, agent);
  const args = toArguments(draft);
  const missing = draft.view === "form" && args ? missingArguments(argumentFields(tool.inputSchema), args) : [];
  const isReady = args !== null && missing.length === 0;
  const evaluation = useEvaluation(
    tool.name,
    isReady && agent !== null ? args : null,
    contextOf(agent, me.actor.id),
    `${turn?.id} ${turn?.status}`,
  );

  const run = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    setShowsMissing(true);
    if (isReady && refusal === null && !submit.isPending) submit.mutate(args);
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) run(event);
  };

  return (
    <div className={`${shared.shrinks} ${shared.story}`}>
      <form className={`${shared.shrinks} ${shared.story}`} onSubmit={run} onKeyDown={keys} noValidate aria-label={`Call of ${tool.name}`}>
        <ArgumentForm tool={tool} draft={draft} onChange={setDraft} missing={showsMissing ? missing : []} />
        <EvaluationLine evaluation={evaluation.data} error={evaluation.error} isUnwritten={!isReady} />
        <div className={shared.bar}>
          <RefusableButton
            refusal={refusal}
            type="submit"
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            disabled={args === null}
            loading={submit.isPending}
          >
            Run
          </RefusableButton>
          {agent !== null && findTryConversation(agent) !== null ? (
            // The conversation remembers a refusal, so a new try needs a new conversation.
            <Button variant="subtle" color="gray" disabled={submit.isPending} onClick={beginAnew}>
              New conversation
            </Button>
          ) : null}
          <CopyAsCurl text={() => callAsCurl({ tool: tool.name, args: args ?? {}, agent, publicUrl: window.location.origin })} />
        </div>
        {submit.isError ? (
          <p className={`${shared.errorText} ${shared.wraps}`} role="alert">
            {toErrorSentence(submit.error)}
          </p>
        ) : null}
      </form>
      {turn ? <TriedCall key={turn.id} turn={turn} primaryArgument={tool.primaryArgument} hasApp={tool.appUri !== undefined} /> : null}
    </div>
  );
}

/** Returns the context in which the guard evaluates the call: this person in the conversation that will run the call. */
function contextOf(agent: string | null, userId: string): EvaluatedContext {
  const actor = { type: "user", id: userId } as const;
  const conversationId = agent === null ? null : findTryConversation(agent);
  if (conversationId !== null) return { conversationId, actor };
  return { ...(agent === null ? {} : { agent }), channel: consoleChannel, origin: "chat", interactive: true, actor };
}

const shownMs = 1_500;

function CopyAsCurl({ text }: { text: () => string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    setIsCopied(await copyText(text()));
    setTimeout(() => setIsCopied(false), shownMs);
  };
  return (
    <Button
      variant="default"
      leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      onClick={() => void copy()}
    >
      {isCopied ? "Copied" : "Copy as curl"}
    </Button>
  );
}
