"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isApiProblem } from "@/components/kit/api/api-problem";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { readAgain } from "@/components/nouns/mcp-servers/use-change-server";
import { mcpAuthorizationEndpoints } from "@/contracts/browser/mcp/mcp-authorization";
import type { McpAuthorizationDraft, McpClientCredentials } from "@/contracts/mcp/mcp-authorization";
import type { McpServer } from "@/contracts/mcp/mcp-servers";

/** Returns whether a server offers a sign-in: it wants one, or a call lacked a scope. */
export function wantsSignIn({ status, authorization }: McpServer): boolean {
  return status === "needs_sign_in" || Boolean(authorization?.neededScope);
}

/** Returns whether the authorization server needs a client ID that an admin enters. */
export function needsClientId(error: unknown): boolean {
  return isApiProblem(error) && (error.problem.errors ?? []).some(({ path }) => path === "clientId");
}

type Begun = { server: McpServer; forWorkspace?: boolean } & McpAuthorizationDraft;

/**
 * Begins a sign-in and sends the browser to the authorization server, which sends it back to this page. Where each person
 * signs in, it is one's own unless it is asked for the workspace.
 */
export function useSignIn() {
  return useMutation({
    mutationFn: ({ server, forWorkspace = !server.personalSignIn, ...body }: Begun) =>
      call(forWorkspace ? mcpAuthorizationEndpoints.begin : mcpAuthorizationEndpoints.beginOwn, { params: { id: server.id }, body }),
    meta: { showsError: true },
    onError: (error, { server }) =>
      notifications.show({ title: `${server.alias} did not connect`, message: toErrorSentence(error), color: "red", autoClose: 12_000 }),
    onSuccess: ({ authorizationUrl }) => window.location.assign(authorizationUrl),
  });
}

/** Signs the workspace in by a client's id and secret, without a person. */
export function useSignInAsClient() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ server, ...body }: { server: McpServer } & McpClientCredentials) =>
      call(mcpAuthorizationEndpoints.signInAsClient, { params: { id: server.id }, body }),
    meta: { showsError: true },
    onError: (error, { server }) =>
      notifications.show({ title: `${server.alias} did not connect`, message: toErrorSentence(error), color: "red", autoClose: 12_000 }),
    onSuccess: ({ alias }) => notifications.show({ message: `${alias} is signed in as a client` }),
    onSettled: () => readAgain(client),
  });
}

/** Signs one person out of a server where each person signs in. */
export function useSignOutPerson() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ server, personId }: { server: McpServer; personId: string }) =>
      call(mcpAuthorizationEndpoints.endPerson, { params: { id: server.id, personId } }),
    onSuccess: (_answer, { server }) => notifications.show({ message: `Signed out of ${server.alias}` }),
    onSettled: () => readAgain(client),
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
