import type { CatalogAgent, RegisteredTool } from "../registered-tool";

/** A word of a channel's name: `group`, `telegram:supergroup`, `slack_group`. */
const groupWord = /(?:^|[^a-z])(?:super)?groups?(?:$|[^a-z])/i;

/** Returns whether several people read along, as the channel's name says. */
export const isGroupChannel = (channel: string | null): boolean => channel !== null && groupWord.test(channel);

type EffectiveTools = ReadonlyMap<string, RegisteredTool>;

/** Sets by agent; the catalog replaces an agent when the configuration changes. */
const groupSets = new WeakMap<Pick<CatalogAgent, "effective">, EffectiveTools>();

/**
 * Shapes an agent's effective set for one conversation, the only place that does: in a group no model sees or calls a tool
 * that is for private conversations.
 */
export function shapeByChannel(agent: Pick<CatalogAgent, "effective">, channel: string | null): EffectiveTools {
  if (!isGroupChannel(channel)) return agent.effective;
  const known = groupSets.get(agent);
  if (known) return known;
  const shaped = new Map([...agent.effective].filter(([, tool]) => !tool.hiddenInGroups));
  groupSets.set(agent, shaped);
  return shaped;
}
