import type { KeptContents } from "@/contracts/calls/call-contents";
import type { ActorRef, JsonObject } from "@/contracts/common";
import type { ConversationOrigin } from "@/contracts/conversations/conversations";
import type { Decision } from "@/contracts/decisions/decision";
import type { GuardRule } from "@/contracts/guard/guard";
import type { Refusal } from "@/contracts/guard/refusals";
import type { ProgramPlace } from "@/contracts/tools/shell";
import type { Tool, ToolEffect, ToolSource } from "@/contracts/tools/tools";
import type { TrustClass } from "@/contracts/tools/trust";
import type { DeclaredEffect } from "../effects/declare-effects";
import type { FolderFacts } from "../paths/locate-path";

/** A tool as the guard needs it. */
export type GuardedTool = {
  name: string;
  source: ToolSource;
  /** Id of the tool's MCP server. */
  sourceRef: string | null;
  /** Hosts, each with its port, that an admin lets the tool's MCP server reach. */
  sourceHosts?: readonly string[];
  effect: ToolEffect;
  /** Hash of the accepted definition of an MCP tool; a grant holds for one definition. */
  pinHash?: string | null;
  /** An admin's effect for the tool; it wins over the effects that the tool declares. */
  effectOverride?: ToolEffect | null;
  surface: Tool["surface"];
  /** The escalate word in the tool's name, when the word asks a person instead of hiding the tool. */
  sensitiveVerb?: string | null;
  needs: readonly string[];
  /** The argument that a call is about: a command, a path, a URL. */
  primaryArgument: string | null;
  /** The lowest trust class whose callers may use the tool. */
  requiredTrust?: TrustClass | null;
  /** Returns the effects of a call with these arguments, as the tool declares them; absent when the tool declares none. */
  effects?: (args: JsonObject) => readonly DeclaredEffect[];
};

/** A call before it runs, with the parsed arguments that it would run with. */
export type GuardRequest = {
  tool: GuardedTool;
  arguments: JsonObject;
  context: GuardContext;
};

/** What the guard knows of the machine on which a client runs the call. */
export type GuardedMachine = {
  /** Absolute path of the home folder. */
  home: string;
  /** Absolute path of the folder in which the client works. */
  folder: string;
  client?: string;
  /** The remote repository of the folder; null when there is none. */
  repository?: string | null;
  /** Names of the machine and of its user, as the client says them. */
  host?: string;
  user?: string;
};

/** The policy file of the repository in which a client works. It can only make decisions stricter. */
export type RepositoryPolicy = {
  rules: readonly GuardRule[];
  /** Why the file cannot be used, as a sentence; null when it can. */
  mistake: string | null;
};

/** The origin of a call. An absent member is unknown: a rule that asks for it cannot be evaluated. */
export type GuardContext = {
  /** Whether a person can be asked while the call waits. */
  interactive: boolean;
  conversationId?: string;
  agent?: { id: string; name: string };
  /** Null when the conversation has no channel. */
  channel?: string | null;
  /** The actor that submitted the call. */
  actor?: Pick<ActorRef, "type"> & Partial<ActorRef>;
  origin?: ConversationOrigin;
  /** Absolute path of the folder that file and shell tools see as `.`; without a folder, every absolute path lies outside. */
  folder?: string;
  /**
   * The machine of a client that runs the call itself, such as a coding agent on somebody's computer. No sandbox of
   * Handrail confines such a call, and `~` is the home of that machine. Absent when Handrail runs the call.
   */
  machine?: GuardedMachine;
  /** The policy file of the machine's repository; absent when it has none. */
  repositoryPolicy?: RepositoryPolicy;
  /** Whether programs that calls start run in the sandbox; absent (unknown) counts as false. */
  sandboxed?: boolean;
  /** The place in which the call's programs run, when it is settled before the call; absent when its own effects decide. */
  place?: ProgramPlace;
  /** Returns the user and the HOME of calls outside of the sandbox, for the approver. Asked only for such a call. */
  describeOutside?: () => NonNullable<Decision["runsOutside"]>;
  /** Private hosts, as `host:port` in lower case, that the sandbox's network reaches once a call is allowed to. */
  privateHosts?: readonly string[];
  /** Ports on which the conversation's own programs listen in its sandbox; absent when a call is only tried out. */
  ownPorts?: readonly number[];
  /** Facts about the folder's files; absent when a call is only tried out. */
  files?: FolderFacts;
  /**
   * The files that the call runs or is configured by, as they are now; null when no file decides it. Absent when nobody
   * looked, and then no grant that holds for contents covers the call.
   */
  contents?: KeptContents | null;
  /** Calls that were refused in the conversation, the oldest first. */
  refusals?: readonly Refusal[];
  /** The effects that each limit of the agent or of the API key permits; absent means no limit. */
  limits?: readonly { whose: string; effects: readonly ToolEffect[] }[];
  /** The trust class of the caller. */
  trust?: TrustClass;
};
