import { homePiece } from "../../script/words";
import { isGiven } from "../given-options";
import { connects, connectsTo, type EffectSink, elevates, type FixedEffect, type ProgramSpec, runsFolderCode, sendsTo } from "../program";

export const publishes = (host: string): FixedEffect => ({ ...sendsTo(host), irreversible: true });
export const forTheMachine = elevates("shell.machine_setup", "installs for everybody on the machine");
export const looks: ProgramSpec = {};
export const runsCode: ProgramSpec = { does: [runsFolderCode] };

const localPath = new RegExp(`^(?:file:|link:|portal:)?(?=[./]|${homePiece})`);
const elsewhere = /^(?:[a-z+]+:\/\/|git@|github:|gitlab:|bitbucket:|[\w-]+\/[\w.-]+(?:#.*)?$)/i;

/**
 * Connects to the registry, unless an option names another registry (whose role adds that host), and to the places of
 * operands.
 */
export function fromRegistry(hosts: readonly string[], option = ""): (act: EffectSink) => void {
  return ({ parsed, role, does }) => {
    const isElsewhere = option !== "" && isGiven(parsed, option);
    for (const host of isElsewhere ? [] : hosts) does(connectsTo(host));
    for (const word of parsed.operands) {
      const [, url] = /^(?:[\w.[\],-]+\s*@\s*)?((?:git\+)?(?:https?|ssh|git):\/\/.*)$/.exec(word.value) ?? [];
      if (url !== undefined) role("url", { ...word, value: url.replace(/^git\+/, "") });
      else if (localPath.test(word.value)) role("configures", { ...word, value: word.value.replace(/^(?:file|link|portal):/, "") }, true);
      else if (elsewhere.test(word.value)) does(connects, word);
    }
  };
}

/** A tool installed in the folder, as in `node_modules/.bin` or a virtual environment. */
export const runsTool: ProgramSpec = { operands: ["command"], does: [runsFolderCode], special: insideFolder };

export function insideFolder(act: EffectSink): void {
  const { run } = act;
  act.run = (words, isTransparent) => run(words, isTransparent, { unknown: runsFolderCode });
}

/** Runs the tool of `npx tool`. An installed tool runs without the network; `tool@version` and `--yes` fetch it. */
export function fetchesTool(hosts: readonly string[], always: boolean): (act: EffectSink) => void {
  return (act) => {
    insideFolder(act);
    const { parsed, does, run } = act;
    const [name] = parsed.operands;
    const [, bare, version] = /^(@[^/]+\/[^@]+|[^@]+)(@.+)?$/.exec(name?.value ?? "") ?? [];
    if (always || version !== undefined || isGiven(parsed, "-y --yes -p --package")) for (const host of hosts) does(connectsTo(host));
    // The package of a scope may contain a program of any name.
    act.run = ([, ...args]) =>
      void (name && bare && !bare.startsWith("@") && run([{ ...name, value: bare }, ...args], false, { unknown: runsFolderCode }));
  };
}
