"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isApiProblem } from "@/components/kit/api/api-problem";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { readAgain } from "@/components/nouns/mcp-servers/use-change-server";
import { mcpAuthorizationEndpoints } from "@/contracts/browser/mcp-authorization";
import type { McpAuthorizationDraft } from "@/contracts/mcp-authorization";
import type { McpServer } from "@/contracts/mcp-servers";

/** Returns whether a server offers a sign-in: it wants one, or a call lacked a scope. */
export function wantsSignIn({ status, authorization }: McpServer): boolean {
  return status === "needs_sign_in" || Boolean(authorization?.neededScope);
}

/** Returns whether the authorization server needs a client ID that an admin enters. */
export function needsClientId(error: unknown): boolean {
  return isApiProblem(error) && (error.problem.errors ?? []).some(({ path }) => path === "clientId");
}

/** Begins a sign-in and sends the browser to the authorization server, which sends it back to this page. */
export function useSignIn() {
  return useMutation({
    mutationFn: ({ server, ...body }: { server: McpServer } & McpAuthorizationDraft) =>
      call(mcpAuthorizationEndpoints.begin, { params: { id: server.id }, body }),
    meta: { showsError: true },
    onError: (error, { server }) =>
      notifications.show({ title: `${server.alias} did not connect`, message: toErrorSentence(error), color: "red", autoClose: 12_000 }),
    onSuccess: ({ authorizationUrl }) => window.location.assign(authorizationUrl),
  });
}

/** Signs out of a server: its tokens are forgotten and revoked. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (server: McpServer) => call(mcpAuthorizationEndpoints.end, { params: { id: server.id } }),
    onSuccess: ({ alias }) => notifications.show({ message: `${alias} disconnected` }),
    onSettled: () => readAgain(client),
  });
}
