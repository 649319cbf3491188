import type { JsonObject } from "@/contracts/common";
import type { ProgramPlace } from "@/contracts/tools/shell";
import type { DeclaredEffect } from "@/server/guard/effects/declare-effects";
import type { EscalationBridge } from "@/server/policy/own-tools";
import type { AvailabilityCheck, WorkspaceAvailabilityCheck } from "./availability-check";

/** The lines of a file that a result shows, from 1; `total` is the number of the file's lines. */
export type LinesRead = { from: number; to: number; total: number };

/** The file that a call changes, and a function from its old to its new text; null when the call would fail. */
export type FileChange = { path: string; after: (before: string) => string | null };

/** The parameters of a carrier that hold the other tool's name and its arguments. */
export type CallCarrier = { toolParameter: string; argumentsParameter: string };

/** A sentence about a tool in the listing's hints, and its place among those of other tools. */
export type Guidance = { text: string; place: "first" | "normal" | "last" };

/** The conversation whose state completes a call's arguments; `folder` is absolute. */
export type CompletionScope = { workspaceId: string; conversationId: string; folder: string };

/** Other spellings that models use; they are resolved before the guard. */
export type Names = {
  /** Old and foreign names of the tool. */
  aliases?: readonly string[];
  /** Old and foreign parameter names: `{ filePath: "path" }`. */
  parameterAliases?: Readonly<Record<string, string>>;
  /** Default arguments of calls by an alias: `{ grep: { regex: true } }`. */
  aliasDefaults?: Readonly<Record<string, JsonObject>>;
};

/** Everyday actions of tools, by which a coding agent's own tool is judged as the tool of ours that does the same. */
export type EverydayAction = "command" | "read" | "write" | "edit" | "fetch";

/** What the guard, and the person who decides a call, learn of it from its parsed arguments. */
export type Approval<Input> = {
  /** The everyday action that the tool stands for; one tool for each. */
  everydayAction?: EverydayAction;
  /** The console marks the tool with a warning. */
  dangerous?: boolean;
  /** Returns the effects of a call with these arguments. Without this function, the guard uses `effect`, the tool's worst case. */
  effects?: (input: Input) => readonly DeclaredEffect[];
  /** Completes arguments from the state of the conversation. The guard decides the completed call, and that call runs. */
  completeArguments?: (input: Input, scope: CompletionScope) => Promise<Input>;
  /**
   * Finds where the programs of a call run, when that is settled before the call: in a process that runs already, or in a
   * sandbox without openings. Null when the call's own effects decide.
   */
  programPlace?: (input: Input, conversationId: string) => Promise<ProgramPlace | null>;
  /** Returns the one file that a call with these arguments changes, for the person who decides the call; null for several files. */
  changesFile?: (input: Input) => FileChange | null;
};

/** How calls run beside each other. */
export type Running<Input> = {
  /** The tool may run in parallel with its neighbours. Default: true for tools that only read. */
  concurrencySafe?: boolean;
  /** May run as a background job: accepts the argument `runInBackground`. */
  backgroundable?: boolean;
  /** Calls that always become background jobs, because nobody waits for minutes. Only with `backgroundable`. */
  startsInBackground?: (input: Input) => boolean;
  /** Equal calls with equal results are no loop, because the tool waits for something. */
  mayRepeat?: boolean;
};

/** What becomes of a call whose process died. */
export type Recovery = {
  /** A second run does no more than the first, so recovery may repeat the call. Default: true for tools that only read. */
  idempotent?: boolean;
  /** A call that starts again continues the work of its first start, because the tool stores it. Recovery may repeat it although it changes something. */
  resumes?: boolean;
};

/** When a model sees the tool, and what it reads of it. */
export type Disclosure = {
  /** Always part of an agent's set, whether ticked or not (the framework's own tools). */
  alwaysOn?: boolean;
  /** Hidden until the conversation has a background job, because the tool would cost tokens without use. */
  hiddenUntilActive?: boolean;
  /** No model sees or calls it: Handrail itself does, in a conversation that was opened for this tool. Only with `hiddenUntilActive`. */
  isInternal?: boolean;
  /** Works with skills: agents whose skills are switched off do not have it. */
  ofSkills?: boolean;
  /** Listed behind the bridge where it is shown in full, because its schema may change with the workspace. */
  listedLast?: boolean;
  /** Neither shown nor callable in a conversation whose channel is a group. */
  hiddenInGroups?: boolean;
  /** Neither shown nor callable outside of the chats of this platform; `any`: outside of chats. */
  onlyInChatsOf?: string;
  /** Refuses a carried call until the conversation's model has read the tool's documentation, or sees the tool in full. */
  needsInfo?: boolean;
  /** Documentation beyond the description, for a model that asks: when to use the tool, and what people get wrong. */
  documentation?: string;
  /** A sentence of every listing that shows the tool in full: how to work with it. */
  guidance?: Guidance;
  /** Checks whether this machine can run the tool; while it cannot, no model sees the tool and the console shows the reason. */
  availability?: AvailabilityCheck;
  /** Checks whether the workspace's settings let the tool run: the reason when they do not. Read with the catalog. */
  workspaceAvailability?: WorkspaceAvailabilityCheck;
  /** The tool's call carries the call of another tool. That call is submitted in its place. */
  carrier?: CallCarrier;
  /** The tool carries out tools on the escalate surface: part of every agent's set, and listed last. */
  bridge?: EscalationBridge;
};

/** How the pipeline treats the tool's results. */
export type Results = {
  /** A result is never cut or moved to an artifact, because the tool pages by itself. */
  neverSpilled?: boolean;
  /** The model needs the results to the end: they stay word for word when a conversation is summarised. */
  pinsResults?: boolean;
  /** Characters of a result that the model reads, when they are fewer than the workspace's limit. */
  resultChars?: number;
  /** Reads the rest of cut results. Cut results name this tool, so it is part of every agent's set. */
  readsArtifacts?: boolean;
  /** Reads resources that results link to; shown from the conversation's first link on. */
  readsLinkedResources?: boolean;
  /** Finds which lines of the file at the primary argument a result shows. A conversation that saw all of them may replace the file. */
  linesRead?: (result: string, path: string) => LinesRead | null;
};

/** The traits of a tool of any source, beside each other: what its groups hold, with parsed arguments of an unknown type. */
export type Traits = Omit<Names, "aliasDefaults"> & Approval<JsonObject> & Running<JsonObject> & Recovery & Disclosure & Results;
