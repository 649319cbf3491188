import type { Json, JsonObject } from "@/contracts/common";

/** One argument, or a part of one, that hooks changed; what is absent was not there. */
export type ChangedArgument = { path: string; before?: Json; after?: Json };

/** What differs between the arguments that a model sent and those that run, as small as it can be said: objects member by member, lists whole. */
export function changedArguments(sent: JsonObject, runs: JsonObject, path = ""): ChangedArgument[] {
  const names = [...new Set([...Object.keys(sent), ...Object.keys(runs)])];
  return names.flatMap((name) => {
    const before = Object.hasOwn(sent, name) ? sent[name] : undefined;
    const after = Object.hasOwn(runs, name) ? runs[name] : undefined;
    const here = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (isObject(before) && isObject(after)) return changedArguments(before, after, here);
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    return [{ path: here, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
  });
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
