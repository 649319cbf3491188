import type { RuleContext } from "@/contracts/guard/rule-conditions";
import { canonicalJson } from "@/contracts/lib/canonical-json";

/** Returns whether a rule's context holds wherever another one does. A time window covers only an equal one. */
export function coversContext(wide: RuleContext | null, narrow: RuleContext | null): boolean {
  if (wide === null) return true;
  const { agents, channels, actors, origins, repositories, clients, machines, users, interactive, time } = wide;
  return (
    coversList(agents, narrow?.agents) &&
    coversList(channels, narrow?.channels) &&
    coversList(actors, narrow?.actors) &&
    coversList(origins, narrow?.origins) &&
    coversList(repositories, narrow?.repositories) &&
    coversList(clients, narrow?.clients) &&
    coversList(machines, narrow?.machines) &&
    coversList(users, narrow?.users) &&
    (interactive === null || interactive === narrow?.interactive) &&
    (time === null || (narrow?.time != null && canonicalJson(time) === canonicalJson(narrow.time)))
  );
}

function coversList(wide: readonly string[] | null | undefined, narrow: readonly string[] | null | undefined): boolean {
  return wide == null || narrow?.every((entry) => wide.includes(entry)) === true;
}
