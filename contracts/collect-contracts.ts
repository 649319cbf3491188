import type { Contract, Navigation } from "./define-contract";
import { navigationGroups } from "./navigation-groups";

/** The lists that are collected from all contracts. */
export type Collected = {
  permissions: Record<string, string>;
  implied: Record<string, readonly string[]>;
  rolePermissions: Record<"approver" | "viewer", string[]>;
  audit: Record<string, string>;
  events: Record<string, { label: string; explanation: string }>;
  navigation: Navigation[];
  glossary: Record<string, string>;
  origins: string[];
  actors: string[];
  toolSources: string[];
};

/** @throws Error when two contracts declare the same name, or a page's `after` names an unknown page */
export function collectContracts(contracts: Readonly<Record<string, Contract>>): Collected {
  const all = Object.entries(contracts);
  const merge = <V>(kind: string, pick: (contract: Contract) => Readonly<Record<string, V>> | undefined) => {
    const merged = new Map<string, V>();
    for (const [noun, contract] of all) {
      for (const [name, value] of Object.entries(pick(contract) ?? {})) {
        if (merged.has(name)) throw new Error(`${noun}: the ${kind} ${name} is declared twice`);
        merged.set(name, value);
      }
    }
    return Object.fromEntries(merged);
  };
  const list = (kind: string, pick: (contract: Contract) => readonly string[] | undefined) =>
    Object.keys(merge(kind, (contract) => Object.fromEntries(pick(contract)?.map((name) => [name, true]) ?? [])));
  const permissions = merge("permission", ({ permissions }) => permissions);
  const ofRole = (role: "approver" | "viewer") => all.flatMap(([, { roles }]) => roles?.[role] ?? []);
  const collected: Collected = {
    permissions,
    implied: merge("implication", ({ implies }) => implies as Record<string, readonly string[]> | undefined),
    rolePermissions: { approver: ofRole("approver"), viewer: ofRole("viewer") },
    audit: merge("audit event", ({ audit }) => audit),
    events: merge("event", ({ events }) => events),
    navigation: inOrder(all.flatMap(([, { navigation }]) => navigation ?? [])),
    glossary: merge("word", ({ glossary }) => glossary),
    origins: list("origin", ({ origins }) => origins),
    actors: list("kind of actor", ({ actors }) => actors),
    toolSources: list("source of tools", ({ toolSources }) => toolSources),
  };
  for (const [noun, { endpoints }] of all) {
    for (const [name, { permission }] of Object.entries(endpoints)) {
      if (permission !== null && !Object.hasOwn(permissions, permission)) {
        throw new Error(`${noun}.${name}: no contract declares the permission ${permission}`);
      }
    }
  }
  return collected;
}

/** Sorts the pages into the order of the navigation. Behind one page stand pages of its group before those of later ones, and the last declared first. */
function inOrder(pages: readonly Navigation[]): Navigation[] {
  const groups = Object.keys(navigationGroups);
  const behind = (path: string | null): Navigation[] =>
    pages
      .filter(({ after }) => after === path)
      .toReversed()
      .toSorted((one, other) => groups.indexOf(one.group) - groups.indexOf(other.group))
      .flatMap((page) => [page, ...behind(page.path)]);
  const ordered = behind(null);
  const lost = pages.filter((page) => !ordered.includes(page));
  if (lost.length > 0) {
    throw new Error(`The navigation has no page for: ${lost.map(({ path, after }) => `${path} after ${after}`).join(", ")}`);
  }
  for (const field of ["path", "key", "label"] as const) {
    const twice = ordered.find((page, index) => ordered.findIndex((other) => other[field] === page[field]) !== index);
    if (!twice) continue;
    const paths = ordered.filter((page) => page[field] === twice[field]).map(({ path }) => path);
    const free = [..."abcdefghijklmnopqrstuvwxyz"].filter((letter) => ordered.every(({ key }) => key !== letter));
    const advice = field === "key" ? ` Free keys: ${free.join(" ")}.` : "";
    throw new Error(`Two pages of the navigation have the ${field} ${twice[field]}: ${paths.join(" and ")}.${advice}`);
  }
  const strayed = ordered.find((page, index) => index > 0 && groups.indexOf(page.group) < groups.indexOf(ordered[index - 1]?.group ?? ""));
  if (strayed) throw new Error(`The page ${strayed.path} of the group ${strayed.group} stands after ${strayed.after}, in a later group`);
  return ordered;
}
