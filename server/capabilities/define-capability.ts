import type { ActorRef } from "@/contracts/common";
import type { OpenArtifact } from "./files/artifact-files";
import type { RecordChanges } from "./files/change-journal";
import type { MayReplace } from "./files/may-replace";
import type { FindRowFile } from "./files/row-files";
import type { KeepCopies } from "./keep-copies";
import type { Classify } from "./sandbox/inspect-folder";
import type { Openings } from "./sandbox/openings";
import type { WorkspaceShellOptions } from "./shell/workspace-shell";

/** The call that a capability is created for. The functions run only when a capability calls them. */
export type CallScope = {
  workspaceId: string;
  conversationId: string;
  callId: string;
  /** Submitter of the turn. */
  actor: ActorRef;
  /** Absolute folder that the call sees as `.` */
  folder: string;
  /** The call runs as a background job. */
  inBackground: boolean;
  classify: Classify;
  mayReplace: MayReplace;
  /** Opens an artifact that the call may read. */
  openArtifact: OpenArtifact;
  /** Finds files whose text is made from rows. */
  findRowFile: FindRowFile;
  /** Keeps what changes of files replace. */
  recordChanges: RecordChanges;
  /** Keeps copies of the files that the conversation's commands did not make, before a command runs. */
  keepCopies: KeepCopies;
  openings: () => Openings;
  network: () => WorkspaceShellOptions["network"];
  /** Private hosts that an admin listed, as `host:port`. */
  privateHosts: () => readonly string[];
  /** Private hosts that the decision about this call opened, for this call only. */
  approvedHosts: () => readonly string[];
  /** Makes an extension tool callable in the conversation; returns the sentence for the model. @throws AppError */
  enableTool: (toolName: string) => Promise<string>;
  /** Finds tools of the conversation's agent; returns lines for the model. */
  searchTools: (query: string, limit: number) => Promise<string>;
  /** Describes one tool of the conversation's agent, with its schema. @throws AppError */
  describeTool: (toolName: string) => Promise<string>;
  /** Returns the full documentation of one tool of the conversation's agent. @throws AppError */
  documentTool: (toolName: string) => Promise<string>;
};

/** A part of the outside world that tools may touch. Its checks live where it is created, never in a tool. */
export type Capability<Name extends string = string, Value = unknown> = {
  /** The name in a tool's `needs`, in rules (`needs:files`) and in what `execute` receives. */
  name: Name;
  title: string;
  /** The capability shows the folder or state of one conversation, so results of its tools are valid only there. */
  isOfConversation: boolean;
  /** Abilities of tools with the capability, as far as the guard has to know. Rules such as `does:reads_path` cover them. */
  runsCommands?: true;
  touchesFiles?: true;
  reachesHosts?: true;
  create: (scope: CallScope) => Value;
};

export function defineCapability<const Name extends string, Value>(capability: Capability<Name, Value>): Capability<Name, Value> {
  return capability;
}

/** Creates the capabilities that a tool needs, and no others. */
export function createCapabilities(needed: readonly Capability[], scope: CallScope): Record<string, unknown> {
  return Object.fromEntries(needed.map(({ name, create }) => [name, create(scope)]));
}
