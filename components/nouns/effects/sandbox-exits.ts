import type { Effect } from "@/contracts/decisions/effects";

/** One kind of access beyond the sandbox: "network to" with its hosts, "runs sudo outside the sandbox". */
export type SandboxExit = { words: string; targets: readonly string[]; after?: string };

const unknownHost = "unknown host";

/** Returns the accesses of a call beyond the sandbox, in the order in which an approver weighs them. */
export function sandboxExits(effects: readonly Effect[]): SandboxExit[] {
  const exits = new Map<string, Set<string>>();
  for (const effect of effects) {
    const exit = exitOf(effect);
    if (!exit) continue;
    const targets = exits.get(exit.words) ?? new Set();
    if (exit.target) targets.add(exit.target);
    exits.set(exit.words, targets);
  }
  return order.flatMap((words) => {
    const targets = exits.get(words);
    return targets ? [{ words, targets: [...targets], ...(words === "runs" ? { after: "outside the sandbox" } : {}) }] : [];
  });
}

const order = ["runs", "network to", "deletes", "writes", "reads"] as const;

function exitOf({ kind, target }: Effect): { words: (typeof order)[number]; target: string | undefined } | null {
  const { where, path, host, program } = target;
  // The sandbox has its own temporary files.
  const isOutside = where === "outside" && target.class !== "temporary";
  switch (kind) {
    case "connect":
    case "send":
      return where === "inside" ? null : { words: "network to", target: host ?? unknownHost };
    case "elevate":
      return { words: "runs", target: program };
    case "execute":
    case "signal":
    case "schedule":
      return isOutside ? { words: "runs", target: program ?? path } : null;
    case "query":
      return where !== "inside" && host !== undefined
        ? { words: "network to", target: host }
        : isOutside
          ? { words: "reads", target: path ?? "files outside the folder" }
          : null;
    case "read":
      // The sandbox hides sensitive files, also inside the folder.
      return isOutside || target.class === "sensitive" ? { words: "reads", target: path ?? "files outside the folder" } : null;
    case "write":
    case "delete":
      // The sandbox mounts files that run by themselves read-only.
      return isOutside || target.class === "runs_by_itself" || target.class === "sensitive"
        ? { words: kind === "write" ? "writes" : "deletes", target: path ?? "files outside the folder" }
        : null;
  }
}
