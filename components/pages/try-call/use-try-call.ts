"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { isApiProblem } from "@/components/kit/api/api-problem";
import { call } from "@/components/kit/api/call";
import { useMe } from "@/components/kit/session/me";
import { turnQueries } from "@/components/nouns/turns/queries";
import { conversationEndpoints } from "@/contracts/browser/conversations/conversations";
import { type Turn, turnEndpoints } from "@/contracts/browser/turns/turns";
import type { JsonObject } from "@/contracts/common";
import type { Tool } from "@/contracts/tools/tools";

/** Seconds that the submission waits for a quick call, and that each later request waits for a change. */
const submitWaitSeconds = 2;
const pollWaitSeconds = 25;
const betweenPollsMs = 150;
const afterFailureMs = 5_000;
/** One conversation per tab and agent, so that the next call finds files of the previous one. */
const conversations = new Map<string, string>();

/** Extension tools that were activated, by conversation and name. */
const activated = new Set<string>();

/** Channel of conversations that the console opens by hand; rules may name it. */
export const consoleChannel = "console";

/** Returns the conversation in which this tab tries calls of an agent; null before the first call. */
export const findTryConversation = (agent: string): string | null => conversations.get(agent) ?? null;

/**
 * Submits a call as a turn of the signed-in person, and follows the turn to its end. An extension tool is activated by a turn of
 * its own before, as a model does.
 */
export function useTryCall({ name: tool, tier }: Pick<Tool, "name" | "tier">, agent: string | null) {
  const me = useMe();
  const client = useQueryClient();
  const [turn, setTurn] = useState<Turn | null>(null);
  // A repeated submission without a response keeps its idempotency key, so that the call never runs twice.
  const unanswered = useRef<{ of: string; key: string } | null>(null);

  const submit = useMutation({
    meta: { showsError: true },
    mutationFn: async (args: JsonObject) => {
      const known = agent === null ? null : findTryConversation(agent);
      const conversationId = known ?? (await openConversation(agent, me.actor.name));
      if (tier === "extension") await activate(conversationId, tool);
      const calls = [{ id: "try", name: tool, arguments: args }];
      const of = JSON.stringify([conversationId, calls]);
      if (unanswered.current?.of !== of) unanswered.current = { of, key: randomKey() };
      const options = { idempotencyKey: unanswered.current.key };
      return call(turnEndpoints.submit, { params: { id: conversationId }, body: { calls, wait: submitWaitSeconds } }, options);
    },
    onSuccess: (submitted) => {
      unanswered.current = null;
      setTurn(submitted);
    },
    onError: (error) => {
      // The conversation was deleted meanwhile: the next run creates another.
      if (agent !== null && isApiProblem(error) && error.problem.status === 404) conversations.delete(agent);
    },
    onSettled: () => client.invalidateQueries({ queryKey: turnQueries.all() }),
  });

  const followed = useQuery({
    queryKey: [...turnQueries.all(), "followed", turn?.id],
    queryFn: ({ signal }) => call(turnEndpoints.get, { params: { id: turn?.id ?? "" }, query: { wait: pollWaitSeconds } }, { signal }),
    enabled: turn !== null && turn.finishedAt === null,
    refetchInterval: ({ state }) => {
      if (state.data?.finishedAt) return false;
      return state.status === "error" ? afterFailureMs : betweenPollsMs;
    },
  });
  const seen = followed.data?.id === turn?.id ? (followed.data ?? turn) : turn;
  const beginAnew = () => {
    if (agent !== null) conversations.delete(agent);
    setTurn(null);
  };
  return { submit, turn: seen, beginAnew };
}

/** A refusal is no error here: the call of the tool then answers with the reason. */
async function activate(conversationId: string, tool: string): Promise<void> {
  const of = `${conversationId} ${tool}`;
  if (activated.has(of)) return;
  const calls = [
    { id: "activate", name: "enable_tool", arguments: { toolName: tool } },
    // Some tools refuse until the conversation has read about them, and the person has read the page of the tool.
    { id: "describe", name: "tool_describe", arguments: { toolName: tool } },
  ];
  await call(
    turnEndpoints.submit,
    { params: { id: conversationId }, body: { calls, wait: pollWaitSeconds } },
    { idempotencyKey: randomKey() },
  );
  activated.add(of);
}

async function openConversation(agent: string | null, person: string): Promise<string> {
  const opened = await call(conversationEndpoints.create, {
    body: { ...(agent === null ? {} : { agent }), channel: consoleChannel, metadata: { title: `Tried in the console by ${person}` } },
  });
  conversations.set(opened.agent, opened.id);
  return opened.id;
}

/** Returns a random key, also on plain http, where `crypto.randomUUID` is absent. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
