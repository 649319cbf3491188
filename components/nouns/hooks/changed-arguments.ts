import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { pointerTo } from "@/contracts/lib/json-pointer";

/** An argument, or a part of one, that hooks changed; an absent side means that the value did not exist. */
export type ChangedArgument = { path: string; before?: Json; after?: Json };

/** Returns the smallest differences between the arguments that a model sent and those that run: objects by member, lists whole. */
export function changedArguments(sent: JsonObject, runs: JsonObject, path = ""): ChangedArgument[] {
  const names = [...new Set([...Object.keys(sent), ...Object.keys(runs)])];
  return names.flatMap((name) => {
    const before = Object.hasOwn(sent, name) ? sent[name] : undefined;
    const after = Object.hasOwn(runs, name) ? runs[name] : undefined;
    const here = pointerTo(path, name);
    if (isJsonObject(before) && isJsonObject(after)) return changedArguments(before, after, here);
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    return [{ path: here, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
  });
}
