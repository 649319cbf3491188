import type { z } from "zod";
import type { TurnDraft } from "@/contracts/turns/turns";

const hook = ".git/hooks/pre-commit";

/**
 * A turn that requires approval under the default policy on every machine, needs no network and harms nothing. A Git
 * hook runs by itself, so writing one requires approval inside the sandbox too. The file lies in the conversation's own
 * folder.
 */
export const firstCall: z.input<typeof TurnDraft> = {
  wait: 10,
  calls: [
    { id: "1", name: "date_time", arguments: {} },
    { id: "2", name: "write_file", arguments: { path: hook, content: "#!/bin/sh\necho 'Checked before each commit'\n" } },
    { id: "3", name: "read_file", arguments: { path: hook } },
  ],
};

/** Descriptions of the first turn's calls, in their order. */
export const firstCallSteps = ["Reads the time", "Writes a Git hook, a file that runs by itself", "Reads the hook back"] as const;
