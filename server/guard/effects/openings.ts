import type { Effect } from "@/contracts/decisions/effects";
import { leavesFolder, needsMachine, touchesSecrets, writesHarmlessConfig, writesOnlyConfig } from "./effect-boundaries";

/**
 * The resources outside of the sandbox that a call may reach, according to its decided effects. Paths are those of the
 * effects.
 */
export type WantedOpenings = {
  /** Hosts as the effects name them; `*` for a host that is known only at run time. */
  hosts: readonly string[];
  readable: readonly string[];
  writable: readonly string[];
  /** Sensitive files of the folder. */
  uncovered: readonly string[];
  /** Whether the call needs the machine itself: another user, a daemon's socket, a database of the machine, a schedule. */
  host: boolean;
};

/** Returns the openings for a call that was allowed or approved with these effects. */
export function wantedOpenings(effects: readonly Effect[]): WantedOpenings {
  const hosts = new Set<string>();
  const readable = new Set<string>();
  const writable = new Set<string>();
  const uncovered = new Set<string>();
  const opensConfig = writesOnlyConfig(effects);
  let host = false;
  for (const effect of effects) {
    const { kind, target } = effect;
    const { where, path } = target;
    if (needsMachine(effect)) host = true;
    if ((kind === "connect" || kind === "send") && where !== "inside") hosts.add(target.host ?? "*");
    if (path === undefined) continue;
    const changes = kind === "write" || kind === "delete";
    if (leavesFolder(effect)) (changes ? writable : readable).add(path);
    else if (where === "inside" && changes && (target.class === "runs_by_itself" || (opensConfig && writesHarmlessConfig(effect))))
      writable.add(path);
    else if (where === "inside" && touchesSecrets(effect)) {
      uncovered.add(path);
      if (changes) writable.add(path);
    }
  }
  return { hosts: [...hosts], readable: [...readable], writable: [...writable], uncovered: [...uncovered], host };
}
