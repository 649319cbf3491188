import {
  IconArrowUpRight,
  IconCalendarClock,
  IconDatabase,
  IconEye,
  IconPencil,
  IconPlayerStop,
  type IconProps,
  IconSend,
  IconTerminal2,
  IconTrash,
  IconUserShield,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { Tone } from "@/components/kit/ui/tone";
import type { Effect } from "@/contracts/decisions/effects";
import { remoteOfProgram } from "@/contracts/lib/git-remote";
import { effectTone } from "./effect-tone";

/** A sentence about an effect, split around the target's name; `text` is the whole sentence. */
export type EffectWords = {
  before: string;
  target: string;
  after: string;
  text: string;
  tone: Tone;
  icon: ComponentType<IconProps>;
};

type Sentence = Pick<EffectWords, "before" | "target" | "after">;

const icons: Record<Effect["kind"], ComponentType<IconProps>> = {
  read: IconEye,
  write: IconPencil,
  delete: IconTrash,
  execute: IconTerminal2,
  connect: IconArrowUpRight,
  send: IconSend,
  elevate: IconUserShield,
  signal: IconPlayerStop,
  schedule: IconCalendarClock,
  query: IconDatabase,
};

/** Describes an effect of a call for the approver: "Reads ../notes.txt, outside the folder". */
export function describeEffect(effect: Effect): EffectWords {
  const sentence = sentenceOf(effect);
  const text = sentence.before + sentence.target + sentence.after;
  return { ...sentence, text, tone: effectTone(effect), icon: icons[effect.kind] };
}

function sentenceOf(effect: Effect): Sentence {
  const { kind, target } = effect;
  switch (kind) {
    case "read":
      return onFiles(effect.namesOnly ? "Lists" : "Reads", effect);
    case "write":
      // A write without a path inside is a change of what Handrail keeps; its words stand in `program`.
      if (target.path === undefined && target.where === "inside" && target.program !== undefined)
        return plain(target.program.charAt(0).toUpperCase() + target.program.slice(1));
      return onFiles("Writes", effect);
    case "delete":
      return target.path === undefined && target.program !== undefined && target.where !== "not_known"
        ? byProgram(`Deletes or overwrites data ${target.where === "inside" ? "in" : "kept outside"} the folder`, effect)
        : onFiles("Deletes", effect);
    case "connect":
      return toHost("Connects to", effect);
    case "send":
      return target.host === undefined && target.path !== undefined ? onFiles("Sends", effect) : toHost("Sends data to", effect);
    case "execute":
      return running(effect);
    case "elevate":
      return byProgram("Runs as another user", effect);
    case "signal":
      return byProgram("Signals other processes", effect);
    case "schedule":
      return target.program === undefined ? plain("Schedules work for later") : byProgram("Schedules a program to run later", effect);
    case "query":
      return byProgram("Queries a database", effect, target.path ?? target.host);
  }
}

const atRunTime = ", target decided when it runs";
const wholeFolder = new Set([".", ".", ""]);

function onFiles(verb: string, effect: Effect): Sentence {
  const { path, where } = effect.target;
  const all = effect.recursive ? " and everything in it" : "";
  if (path === undefined) {
    const place = { inside: " files in the folder", outside: " files outside the folder", not_known: ` files${atRunTime}` };
    return plain(`${verb}${place[where]}${classNote(effect)}${lossNote(effect)}`);
  }
  if (where === "inside" && wholeFolder.has(path)) return plain(`${verb} the folder${all}${lossNote(effect)}`);
  return { before: `${verb} `, target: shorten(path), after: `${all}${placeNote(effect)}${classNote(effect)}${lossNote(effect)}` };
}

function toHost(verb: string, effect: Effect): Sentence {
  const { host, where, program } = effect.target;
  if (host === undefined) {
    const remote = remoteOfProgram(program);
    if (remote !== undefined) return { before: `${verb} the host of git's remote `, target: shorten(remote), after: "" };
    const place = { inside: "a server of this conversation", outside: "the network", not_known: "an unknown host" };
    return plain(`${verb} ${place[where]}`);
  }
  const later = where === "not_known" ? atRunTime : "";
  return { before: `${verb} `, target: shorten(host), after: `${later}${classNote(effect)}` };
}

function running(effect: Effect): Sentence {
  const { program, path, where } = effect.target;
  const named = program ?? path;
  if (where === "not_known") return inBrackets("Runs code that is not inspected", named);
  const place = where === "outside" ? ", outside the folder" : "";
  return named === undefined ? plain(`Runs a program${place}`) : { before: "Runs ", target: shorten(named), after: place };
}

function byProgram(words: string, effect: Effect, named = effect.target.program): Sentence {
  const { before, target, after } = inBrackets(words, named);
  return { before, target, after: `${after}${lossNote(effect)}` };
}

function placeNote({ target }: Effect): string {
  if (target.where === "not_known") return atRunTime;
  // The class note of such a file already implies "outside".
  const isSaidByClass = target.class === "device" || target.class === "system" || target.class === "temporary";
  return target.where === "outside" && !isSaidByClass ? ", outside the folder" : "";
}

const classNotes: Record<NonNullable<Effect["target"]["class"]>, string> = {
  sensitive: ", may hold secrets",
  runs_by_itself: ", a file that runs by itself",
  device: ", a device",
  metadata: ", the cloud metadata address",
  private: ", a private address",
  system: ", a system file",
  temporary: ", a temporary file",
  rebuildable: ", can be rebuilt",
  made_here: ", made in this conversation",
  no_copy: ", of which no copy can be kept",
};

function classNote({ target }: Effect): string {
  return target.class === undefined ? "" : classNotes[target.class];
}

function lossNote({ irreversible }: Effect): string {
  return irreversible ? ", cannot be undone" : "";
}

function inBrackets(words: string, named: string | undefined): Sentence {
  return named === undefined ? plain(words) : { before: `${words} (`, target: shorten(named), after: ")" };
}

function plain(before: string): Sentence {
  return { before, target: "", after: "" };
}

const longest = 160;
const keptAtEnd = 50;

/** Shortens a long name in its middle; the arguments show the whole name. */
function shorten(name: string): string {
  return name.length <= longest ? name : `${name.slice(0, longest - keptAtEnd)}…${name.slice(-keptAtEnd)}`;
}
