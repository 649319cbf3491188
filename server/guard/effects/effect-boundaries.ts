import type { Effect } from "@/contracts/decisions/effects";
import type { AllowedHosts } from "../hosts/allowed-hosts";

/** Returns whether an effect needs the machine itself: another user, a daemon's socket, a database of the machine, a schedule. */
export const needsMachine = ({ kind }: Pick<Effect, "kind">): boolean => kind === "elevate" || kind === "schedule" || kind === "query";

/** Returns whether an effect reaches a file outside of the folder that is not readable by every program anyway. */
export function leavesFolder({ kind, target, namesOnly }: Effect): boolean {
  const { where, path, host } = target;
  if (where !== "outside" || path === undefined || host !== undefined) return false;
  if (kind === "execute" || kind === "read") return target.class !== "system";
  return namesOnly ? target.class !== "temporary" : true;
}

/** Returns whether an effect connects to a host outside of the sandbox that no admin has allowed. */
export function leavesToHost({ kind, target }: Effect, allowedHosts: AllowedHosts): boolean {
  if (kind !== "connect" && kind !== "send") return false;
  if (target.where === "inside") return false;
  return target.host === undefined || !allowedHosts.covers(target.host);
}

/**
 * Returns whether an effect is a request to a host that an admin allowed.
 * @param url the request's URL as the call has it
 */
export function reachesAllowedHost({ kind, target }: Effect, url: string, allowedHosts: AllowedHosts): boolean {
  if ((kind !== "read" && kind !== "send" && kind !== "connect") || target.host === undefined) return false;
  const parsed = URL.parse(url);
  if (!parsed) return false;
  // An allowed host covers a port, so the default port of the scheme is filled in.
  return allowedHosts.covers(`${parsed.hostname}:${parsed.port || (parsed.protocol === "https:" ? "443" : "80")}`);
}

/**
 * Returns whether an effect destroys irreplaceable work: files that the conversation did not make and that no build
 * makes again.
 */
export function destroysWork({ kind, target, recursive, irreversible }: Effect): boolean {
  if (irreversible) return true;
  if (losesUncopied({ kind, target })) return true;
  const isMany = recursive === true || /[*?[]/.test(target.path ?? "");
  return kind === "delete" && isMany && !/^(?:rebuildable|made_here|temporary)$/.test(target.class ?? "");
}

/** Returns whether an effect overwrites or deletes files of others of which no copy can be kept. */
export const losesUncopied = ({ kind, target }: Pick<Effect, "kind" | "target">): boolean =>
  target.class === "no_copy" && (kind === "write" || kind === "delete");

/** Returns whether an effect reads or changes a file that holds secrets. */
export const touchesSecrets = ({ target, namesOnly }: Effect): boolean => target.class === "sensitive" && !namesOnly;

/** Returns whether an effect changes a file whose commands run later, when nobody watches. */
export const changesWhatRuns = ({ kind, target }: Effect): boolean =>
  target.class === "runs_by_itself" && (kind === "write" || kind === "delete");

/** Returns whether the sandbox contains an effect completely, so that the effect concerns nobody else. */
export function staysInSandbox(effect: Effect, allowedHosts: AllowedHosts): boolean {
  return !(
    needsMachine(effect) ||
    leavesFolder(effect) ||
    leavesToHost(effect, allowedHosts) ||
    destroysWork(effect) ||
    touchesSecrets(effect) ||
    changesWhatRuns(effect)
  );
}

/**
 * Returns whether an effect is a developer's everyday work in a project: it reads and changes the project's own files and
 * runs the project's own programs. No sandbox confines it, so anything else needs a person.
 */
export function staysInProject(effect: Effect, allowedHosts: AllowedHosts): boolean {
  const { kind, target } = effect;
  if (kind === "signal" || target.where === "not_known") return false;
  if (kind === "execute" && target.where === "outside" && target.class !== "system") return false;
  return staysInSandbox(effect, allowedHosts);
}

/** Returns whether an effect writes settings of git that start no program. */
export const writesHarmlessConfig = ({ kind, target }: Effect): boolean =>
  kind === "write" && target.where === "inside" && target.program === "git config" && target.path !== undefined;

/** Returns whether a call writes harmless settings of git and beyond that only reads, so that the settings' file may be open for it. */
export const writesOnlyConfig = (effects: readonly Effect[]): boolean =>
  effects.some(writesHarmlessConfig) && effects.every((effect) => writesHarmlessConfig(effect) || onlyReads(effect));

/** Returns whether an effect changes only what Handrail itself keeps, such as messages and task lists. */
export const actsInProduct = ({ kind, target }: Pick<Effect, "kind" | "target">): boolean =>
  kind === "write" && target.where === "inside" && target.path === undefined && target.program !== undefined;

/** Returns whether an effect only reads the folder or what is public on the machine; true also without a sandbox. */
export function onlyReads(effect: Effect): boolean {
  const { kind, target } = effect;
  if (touchesHarmlessNode(effect)) return true;
  if (kind !== "read" || touchesSecrets(effect)) return false;
  return target.host !== undefined ? target.class === undefined : target.where === "inside" || target.class === "system";
}

const touchesHarmlessNode = ({ kind, target }: Effect): boolean =>
  (kind === "read" || kind === "write") && target.where === "inside" && target.path?.startsWith("/dev/") === true;
