import { LRUCache } from "lru-cache";
import type { CatalogAgent, RegisteredTool } from "../registered-tool";

/** A word of a channel's name: `group`, `telegram:supergroup`, `slack_group`. */
const groupWord = /(?:^|[^a-z])(?:super)?groups?(?:$|[^a-z])/i;

/** Returns whether several people read along, as the channel's name says. */
export const isGroupChannel = (channel: string | null): boolean => channel !== null && groupWord.test(channel);

type EffectiveTools = ReadonlyMap<string, RegisteredTool>;

/** Sets by agent and channel; the catalog replaces an agent when the configuration changes. */
const shapedSets = new WeakMap<EffectiveTools, LRUCache<string, EffectiveTools>>();
const maxChannels = 50;

/**
 * Shapes an agent's effective set for one conversation, the only place that does: in a group no model sees or calls a tool
 * that is for private conversations, and outside of a platform's chats none that is for them.
 */
export function shapeByChannel({ effective }: Pick<CatalogAgent, "effective">, channel: string | null): EffectiveTools {
  const ofAgent = shapedSets.get(effective) ?? new LRUCache<string, EffectiveTools>({ max: maxChannels });
  shapedSets.set(effective, ofAgent);
  const isGroup = isGroupChannel(channel);
  const platform = channel?.split(":", 1)[0] ?? null;
  const key = JSON.stringify([isGroup, platform]);
  const known = ofAgent.get(key);
  if (known) return known;
  const isShown = ({ hiddenInGroups, onlyInChatsOf: chats }: RegisteredTool): boolean =>
    !(isGroup && hiddenInGroups) && (chats === undefined || (chats === "any" ? platform !== null : platform === chats));
  const shown = [...effective].filter(([, tool]) => isShown(tool));
  const shaped = shown.length === effective.size ? effective : new Map(shown);
  ofAgent.set(key, shaped);
  return shaped;
}
