import type { JsonObject } from "@/contracts/common";
import { canonicalJson } from "@/contracts/lib/canonical-json";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { valueAt } from "@/contracts/lib/json-pointer";
import type { CallMachine, ToolPath } from "@/contracts/tools/machine";
import type { ToolEffect } from "@/contracts/tools/tools";
import { builtinTools } from "@/server/tools/builtin-tools";
import type { EverydayAction } from "@/server/tools/tool-traits";

/** Facts about one tool of a client. */
export type NativeTool = {
  /** The everyday action of the tool: its calls are judged as those of our tool for it. */
  action?: EverydayAction;
  /** Arguments of our tool, by the members of the native input that hold them. */
  arguments?: Readonly<Record<string, string>>;
  /** The worst effect of a tool without an action. */
  effect?: ToolEffect;
  /** Members of the native input that hold paths, and what the tool does to them. */
  paths?: Readonly<Record<string, Exclude<ToolPath["kind"], "pattern" | "not_known">>>;
  /** Members that hold patterns for files, with the members that hold the folder in which the patterns start, if there are any. */
  globs?: Readonly<Record<string, string | null>>;
  /** The member that holds a patch, and what reads the files that the patch names. */
  targets?: { member: string; read: (patch: string) => { arguments: JsonObject; paths: ToolPath[] } | null };
};

/** A native call as the pipeline judges it. */
export type JudgedCall = {
  name: string;
  arguments: JsonObject;
  tool?: CallMachine["tool"];
  /** Turns changed arguments back into the native input; null when they do not fit together any more. */
  toNative: (changed: JsonObject) => JsonObject | null;
};

const toolFor = (action: EverydayAction) => builtinTools().find(({ everydayAction }) => everydayAction === action);

/** Translates a native call; one of a tool that nobody knows is judged by its name and the texts in it. */
export function judgedCall(native: string, known: NativeTool | undefined, input: JsonObject): JudgedCall {
  const own = known?.action && toolFor(known.action);
  const given = own && known.arguments ? withArguments(own.name, own.primaryArgument, known.arguments, input) : null;
  if (given) return given;
  const text = known?.targets ? input[known.targets.member] : undefined;
  const read = typeof text === "string" ? known?.targets?.read(text) : null;
  if (known?.targets && read) {
    return { name: native, arguments: read.arguments, tool: { paths: read.paths }, toNative: backFrom(known.targets, input) };
  }
  // Under its own name the text would be judged as the command of a shell.
  if (known?.targets && typeof text === "string") {
    const { member } = known.targets;
    const { [member]: _, ...rest } = input;
    const toNative = ({ patch, ...others }: JsonObject) => ({ ...others, [member]: patch ?? "" });
    return { name: native, arguments: { ...rest, patch: text }, tool: { paths: [{ argument: "/patch", kind: "not_known" }] }, toNative };
  }
  const paths = [
    ...Object.entries(known?.paths ?? {}).map(([member, kind]): ToolPath => ({ argument: `/${member}`, kind })),
    ...Object.entries(known?.globs ?? {}).map(
      ([member, base]): ToolPath => ({ argument: `/${member}`, kind: "pattern", ...(base === null ? {} : { base: `/${base}` }) }),
    ),
  ];
  const facts = { ...(known?.effect ? { effect: known.effect } : {}), ...(paths.length > 0 ? { paths } : {}) };
  return { name: native, arguments: input, ...(known && !known.action ? { tool: facts } : {}), toNative: (changed) => changed };
}

function withArguments(
  name: string,
  primary: string | null,
  members: Readonly<Record<string, string>>,
  input: JsonObject,
): JudgedCall | null {
  const pairs = Object.entries(members).flatMap(([argument, member]) => {
    const value = valueAt(input, `/${member}`);
    return value === undefined || value === null ? [] : [{ argument, member, value }];
  });
  // Without its main argument the call is no such action, so it is judged as an unknown one.
  if (primary !== null && typeof pairs.find(({ argument }) => argument === primary)?.value !== "string") return null;
  return {
    name,
    arguments: Object.fromEntries(pairs.map(({ argument, value }) => [argument, value])),
    toNative: (changed) => ({
      ...input,
      ...Object.fromEntries(
        pairs.flatMap(({ argument, member }) => (changed[argument] === undefined ? [] : [[member, changed[argument]]])),
      ),
    }),
  };
}

/** People decided on the targets that they saw, so changed arguments count only when their text still names exactly these. */
function backFrom({ member, read }: NonNullable<NativeTool["targets"]>, input: JsonObject): JudgedCall["toNative"] {
  return (changed) => {
    const { patch } = changed;
    const again = typeof patch === "string" ? read(patch) : null;
    return again !== null && canonicalJson(again.arguments) === canonicalJson(changed) ? { ...input, [member]: patch ?? "" } : null;
  };
}

/** Reads a native input: an object, or the JSON text of one. */
export function nativeInput(value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  if (typeof value !== "string") return {};
  try {
    const read: unknown = JSON.parse(value);
    return isJsonObject(read) ? read : { input: value };
  } catch {
    return { input: value };
  }
}
