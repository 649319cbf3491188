import { z } from "zod";
import { shell } from "@/server/capabilities/call-capabilities";
import type { DeclaredEffect } from "@/server/guard/effects/declare-effects";
import { defineTool } from "@/server/tools/define-tool";

/** Kinds of work as the Agent Client Protocol names them. */
const kinds = ["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"] as const;
type Kind = (typeof kinds)[number];

const onPaths: Partial<Record<Kind, DeclaredEffect["kind"]>> = {
  read: "read",
  search: "read",
  edit: "write",
  move: "write",
  delete: "delete",
};

export const acpPermission = defineTool({
  name: "acp_permission",
  title: "Permission of an agent program",
  description: "Internal: permission prompts of external agents.",
  family: "delegation",
  tier: "core",
  effect: "destroy",
  // The command is judged like a command of the shell.
  needs: [shell],
  primaryArgument: "command",
  disclosure: { hiddenUntilActive: true, isInternal: true },
  running: { concurrencySafe: true },
  input: z.object({
    agent: z.string().max(100).describe("Name of the agent program"),
    title: z.string().max(10_000).describe("What it wants to do, in its words"),
    kind: z.enum(kinds).describe("Kind of work"),
    command: z.string().max(10_000).optional().describe("The command, for work of the kind execute"),
    paths: z.array(z.string().max(10_000)).max(50).optional().describe("Files that it concerns"),
    url: z.string().max(10_000).optional().describe("Address that it concerns"),
  }),
  approval: {
    effects: ({ kind, paths = [], url }) => {
      if (kind === "execute" || kind === "think") return [];
      const onPath = onPaths[kind];
      if (onPath && paths.length > 0) return paths.map((path, index) => ({ kind: onPath, argument: `/paths/${index}`, path }));
      if (kind === "fetch" && url && URL.canParse(url)) return [{ kind: "send", argument: "/url", url }];
      // Nothing is known about the target, so a person looks at the title.
      return [{ kind: "elevate", argument: "/title" }];
    },
  },
  async execute({ title }) {
    return `Allowed: ${title}`;
  },
});
