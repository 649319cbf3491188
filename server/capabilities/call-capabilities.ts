import "server-only";
import { defineCapability } from "./define-capability";
import { withArtifacts } from "./files/artifact-files";
import { withRowFiles } from "./files/row-files";
import { workspaceFiles } from "./files/workspace-files";
import { guardedHttp } from "./network/guarded-http";
import { isSensitiveKind } from "./sandbox/folder-listings";
import { ownServersOf } from "./sandbox/network/conversation-network";
import { workspaceShell } from "./shell/workspace-shell";

export const files = defineCapability({
  name: "files",
  title: "The files of the conversation's folder",
  isOfConversation: true,
  touchesFiles: true,
  create: ({ folder, mayReplace, recordChanges, classify, openArtifact, findRowFile }) => {
    const isSensitive = (relativePath: string) => isSensitiveKind(classify(relativePath));
    const ofFolder = workspaceFiles(folder, { mayReplace, record: recordChanges, isSensitive });
    return withArtifacts(withRowFiles(ofFolder, { find: findRowFile, mayReplace }), openArtifact);
  },
});

export const shell = defineCapability({
  name: "shell",
  title: "Commands in the conversation's folder",
  isOfConversation: true,
  runsCommands: true,
  touchesFiles: true,
  reachesHosts: true,
  create: ({ folder, conversationId, openings, classify, network, inBackground, keepCopies }) =>
    workspaceShell(folder, { conversationId, openings: openings(), classify, network: network(), isLongRunning: inBackground, keepCopies }),
});

export const http = defineCapability({
  name: "http",
  title: "Requests to the internet",
  isOfConversation: false,
  reachesHosts: true,
  create: ({ privateHosts, approvedHosts, conversationId }) =>
    guardedHttp({ privateHosts: [...privateHosts(), ...approvedHosts()], ownServers: ownServersOf(conversationId) }),
});
