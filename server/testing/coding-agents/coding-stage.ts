import { beforeEach } from "vitest";
import { GuardedCallDraft } from "@/contracts/agents/coding-agents";
import type { Actor } from "@/server/auth/actor";
import { askGuardedCall } from "@/server/families/coding-agents/guarded-calls";
import type { Waiting } from "@/server/families/coding-agents/wait-while-allowed";
import { authorize, buildApiKey } from "../builders";
import { addBuiltinTools } from "../builtin-tools";
import { neverAborted, type Stage, useStage } from "../stage";

/** A stage with the builtin tools, and the key of a coding agent. */
export type CodingStage = Stage & { key: Actor };

export function useCodingStage(): CodingStage {
  const stage = useStage() as CodingStage;
  beforeEach(async () => {
    const workspaceId = stage.built.workspace.id;
    await addBuiltinTools(workspaceId);
    stage.key = await buildApiKey(workspaceId, { scopes: ["guard:ask"], createdBy: stage.built.admin });
  });
  return stage;
}

export const askerOf = ({ key }: CodingStage) => authorize(key, "guard:ask");

/** A request with a key whose access holds. */
export const waitingOf = (actor: Waiting["actor"], signal = neverAborted): Waiting => ({ actor, signal, isStillAllowed: async () => true });

const usual = { client: "claude-code", session: "s-1", folder: "/home/ada/shop", home: "/home/ada", tool: "Bash", wait: 0 };

/** Asks about a call as a coding agent does. */
export function ask(stage: CodingStage, given: Partial<Record<keyof GuardedCallDraft, unknown>>, signal = neverAborted) {
  return askGuardedCall(waitingOf(askerOf(stage), signal), GuardedCallDraft.parse({ ...usual, ...given }));
}

/** Asks about a command. */
export const askCommand = (stage: CodingStage, command: string, given: Partial<Record<keyof GuardedCallDraft, unknown>> = {}) =>
  ask(stage, { input: { command }, ...given });
