import { remoteProgram } from "@/contracts/lib/git-remote";
import { homePiece, type ShellWord } from "../../script/words";
import { connects, destroys, type EffectSink, type FixedEffect, givenOption, notes, runsFolderCode, runsUnknown } from "../program";
import { joined } from "./xargs-and-parallel";

/** Settings for appearance and identity. Any other setting may name a program that git starts. */
const harmlessSetting =
  /^(?:color\.|user\.|author\.|committer\.|advice\.|column\.|log\.|status\.|format\.pretty|core\.(?:quotepath|pager=(?:cat|less|)$|abbrev|autocrlf|eol|ignorecase|filemode|longpaths|bare|preloadindex|untrackedcache|compression|precomposeunicode)(?:=|$)|pager\.\w+=(?:false|0|no|)$|diff\.(?:renames|renamelimit|algorithm|context|noprefix|mnemonicprefix|colormoved)(?:=|$)|init\.defaultbranch|commit\.gpgsign=false|tag\.gpgsign=false|push\.(?:default|autosetupremote)|pull\.(?:rebase|ff)|merge\.(?:ff|conflictstyle)|rebase\.auto|fetch\.(?:prune|parallel)|http\.(?:version|lowspeed|postbuffer)|gc\.(?!recentobjectshook)|pack\.(?!packobjectshook)|index\.|protocol\.version|rerere\.enabled|submodule\.recurse|blame\.(?!markunblamable|ignorerevsfile)|i18n\.|fetch\.(?:prunetags|fsckobjects)|branch\.(?:sort|autosetup\w+|.+\.(?:remote|merge|rebase|description|pushremote))(?:=|$)|remote\.(?:pushdefault|.+\.(?:fetch|push|tagopt|prune|prunetags|mirror))(?:=|$)|remote\..+\.(?:push)?url=(?!\s*(?:ext|fd)::)|rebase\.(?:updaterefs|missingcommitscheck|stat)|tag\.sort|versionsort\.|clean\.requireforce|help\.autocorrect|core\.(?:symlinks|whitespace|safecrlf|logallrefupdates|sharedrepository)(?:=|$)|(?:commit|tag|push)\.gpgsign=(?:false|0|no)$|alias\.[\w-]+=(?:status|log|branch|checkout|commit|switch|show|diff|add)(?!.*(?:--(?:ext-diff|textconv|output|exec)|\s-O))[\w .=%:,/@()<>-]*$)/i;

export const byOption: FixedEffect = { ...runsUnknown, note: "shell.git_escape", says: "has git start another program" };
export const bySetting: FixedEffect = { ...runsUnknown, note: "shell.git_escape", says: "gives git a setting that can name a program" };
export const discards = destroys("shell.git_discard", "throws away changes that were not committed");
export const overwrites: FixedEffect = {
  kind: "delete",
  target: { where: "outside" },
  irreversible: true,
  note: "shell.git_force_push",
  says: "overwrites or removes branches that others have on the server",
};

const named = (name: ShellWord, value: string): ShellWord => ({ ...name, value, certainty: "literal" });
type Special = (act: EffectSink) => void;

/** Applies a role to git's working folder. */
export const folder =
  (role: "reads" | "lists" | "writes" | "deletes", more?: Special): Special =>
  (act) => {
    const [name] = act.command.words;
    // The working folder is no target: each path that a command moves or replaces is one of its own.
    act.role(role === "writes" ? "makes" : role, named(name, "."), role !== "writes");
    more?.(act);
  };

/** Connects to the first operand's host when the operand is an address, else to a remote whose host only git knows. */
export const reaches =
  (kind: "connect" | "send", more?: Special): Special =>
  (act) => {
    const { parsed, role, does, command } = act;
    const address = givenOption(parsed, "--repo")?.value ?? parsed.operands[0];
    if (address && /^(?:ext|fd)::/.test(address.value)) does(byOption, address);
    const isAddress =
      address?.certainty === "literal" && /^[a-z][a-z0-9+.-]*:\/\/|^[^/\s:]+:|^(?:\.{1,2}|~)?\/|^\.{1,2}$/i.test(address.value);
    if (address && isAddress) role("remote_read", address);
    else byRemotes(act, address);
    if (address && isAddress && kind === "send") role("remote_write", address);
    else if (kind === "send") does({ ...connectsToRemote(address), kind }, address ?? command.words[0]);
    more?.(act);
  };

/** Connects to a host that only git's settings name; people are told the remote that leads there. */
function connectsToRemote(remote: ShellWord | undefined): FixedEffect {
  const isNamed = remote?.certainty === "literal" && /^\w[\w./-]*$/.test(remote.value);
  return isNamed ? { ...connects, target: { ...connects.target, program: remoteProgram(remote.value) } } : connects;
}

/** Connects to a place that stands in git's settings. */
export function byRemotes({ command: { words }, does, content }: EffectSink, remote?: ShellWord): void {
  const [name] = words;
  does(connectsToRemote(remote), remote ?? name);
  content("configures", named(name, "."), { part: "remotes" });
}

/** Notes forced updates of refs: `git push origin +main`, `git push origin :main`. */
export function forcesRef({ parsed, does }: EffectSink): void {
  const forced = parsed.operands.find(({ value, certainty }, at) => at > 0 && (certainty !== "literal" || /^[+:]./.test(value)));
  if (forced) does(overwrites, forced);
}

/** Adds the effects of `git clone address folder`. */
export function makesClone({ parsed: { operands, options }, command: { words }, role, does }: EffectSink): void {
  const [name] = words;
  const [address, target] = operands;
  const last = address?.value
    .replace(/(?:\/|\.git)+$/, "")
    .split(/[/:]/)
    .at(-1);
  role("changes", target ?? { ...(address ?? name), value: last || "." });
  setsForOnce(options, does);
}

/** Adds the effects of settings for one call: `git -c name=value`. */
export function setsForOnce(options: EffectSink["parsed"]["options"], does: EffectSink["does"]): void {
  for (const { name, value } of options) {
    const isSetting = /^(?:-c|--config)$/.test(name) && value;
    if (isSetting && !(value.certainty === "literal" && harmlessSetting.test(value.value))) does(bySetting, value);
  }
}

const configActions = "--unset --unset-all --add --replace-all --remove-section --rename-section -e --edit";
const configVerbs = /^(?:set|unset|get|list|edit|rename-section|remove-section)$/;
/** Says in an effect that only harmless settings of git are written. */
export const harmlessConfig = "git config";

/** Adds the effects of `git config name value`, because settings can make git start programs. */
export function configures({ parsed, command, role, does }: EffectSink): void {
  const [name] = command.words;
  const [first] = parsed.operands;
  const verb = first && configVerbs.test(first.value) ? first.value : null;
  const operands = verb ? parsed.operands.slice(1) : parsed.operands;
  const onlyAsks =
    /^(?:get|list)$/.test(verb ?? "") || givenOption(parsed, "-l --list --get --get-all --get-regexp --get-urlmatch") !== undefined;
  const isEdit = verb === "edit" || givenOption(parsed, "-e --edit") !== undefined;
  const isRemoval = verb === "unset" || givenOption(parsed, "--unset --unset-all --remove-section") !== undefined;
  const changes = !onlyAsks && (verb !== null || operands.length > 1 || givenOption(parsed, configActions) !== undefined);
  const file = givenOption(parsed, "-f --file")?.value;
  const isOfUser = givenOption(parsed, "--global") !== undefined;
  const path = isOfUser ? `${homePiece}/.gitconfig` : givenOption(parsed, "--system") ? "/etc/gitconfig" : ".git/config";
  const isHarmless =
    operands.every(({ certainty }) => certainty === "literal") && harmlessSetting.test(operands.map(({ value }) => value).join("="));
  if (!changes) {
    // Git prints settings; it is no way to the file for other programs.
    role(file ? "reads" : "lists", file ?? named(name, path));
    return;
  }
  if (file || path.startsWith("/") || isEdit || !isHarmless) {
    role("writes", file ?? named(name, path));
    if (!isRemoval) does(bySetting, operands[0] ?? name);
    return;
  }
  writesHarmlessConfig({ command, does }, isOfUser);
}

/** Adds the write of harmless settings, which asks only where something else in the call could use the open file. */
function writesHarmlessConfig({ command: { folder }, does }: Pick<EffectSink, "command" | "does">, isOfUser = false): void {
  const path = isOfUser ? ".gitconfig" : folder === null ? undefined : folder === "." ? ".git/config" : `${folder}/.git/config`;
  does({ kind: "write", target: path === undefined ? { where: "not_known" } : { where: "inside", path, program: harmlessConfig } });
}

/** Adds the write of settings whose words are not literal. */
export const writesConfig: Special = ({ command: { words }, role }) => {
  const [name] = words;
  role("writes", named(name, ".git/config"));
};

/** Chooses a case by the first operand; without a matching verb, `other` applies. */
export const byVerb =
  (cases: Readonly<Record<string, Special>>, other: Special): Special =>
  (act) => {
    const verb = act.parsed.operands[0];
    const found =
      verb?.certainty === "literal" ? Object.entries(cases).find(([verbs]) => verbs.split(" ").includes(verb.value)) : undefined;
    return (found?.[1] ?? other)(act);
  };

export const discarding: Special = ({ does, parsed, command }) => does(discards, parsed.operands[0] ?? command.words[0]);
export const hooked = (special?: Special): Special => folder("writes", (act) => [act.does(runsFolderCode), special?.(act)]);
const unknownVerb: Special = ({ does, parsed }) => does(runsUnknown, parsed.operands[0]);

/** Notes lost changes: `git checkout -- file` and `git checkout .` discard them; a branch alone does not. */
export function checksOut({ parsed, command, does }: EffectSink): void {
  const isPath = ({ value }: ShellWord, at: number) => at > 0 || /^\.?\/?$|^\.{1,2}\/|\/$|^:|[*?[]|\.[a-z]\w{0,4}$/.test(value);
  const path = command.words.find(({ value }) => value === "--") ?? parsed.operands.find(isPath);
  if (path && !givenOption(parsed, "-b -B --orphan --detach -d -t --track")) does(discards, path);
}

export const restores: Special = ({ parsed, command, does }) => {
  const onlyStaged = givenOption(parsed, "-S --staged") !== undefined && !parsed.options.some(({ name }) => /^(?:-W|--w\w*)$/.test(name));
  if (!onlyStaged) does(discards, command.words[0]);
};

/** Adds the deletion by `git clean`, except for `git clean -n`, which only lists. */
export const cleans: Special = (act) => {
  if (givenOption(act.parsed, "-n --dry-run")) return folder("lists")(act);
  folder("deletes")(act);
  act.does(discards);
};

/** Runs the words behind the verb as a command: `git bisect run make`. */
export const runsRest: Special = (act) => {
  const [, ...rest] = act.parsed.operands;
  const [first] = rest;
  act.does(notes("shell.git_escape", "has git run a command"), first);
  if (first) act.run(act.command.words.slice(act.command.words.indexOf(first)));
};
const runsScript: Special = (act) => {
  const [, ...rest] = act.parsed.operands;
  act.does(notes("shell.git_escape", "has git run a command"), rest[0]);
  if (rest.length > 0) act.role("script", joined(rest));
};

/** Deletes, moves or makes a folder that an operand names. */
export const worktrees = byVerb(
  {
    list: folder("lists"),
    add: hooked(({ parsed, role }) => parsed.operands[1] && role("changes", parsed.operands[1])),
    "remove move": ({ parsed, role, does }) => {
      const [, path, target] = parsed.operands;
      if (path) role("deletes", path, true);
      if (target) role("changes", target);
      if (givenOption(parsed, "-f --force")) does(discards, path);
    },
    "prune lock unlock repair": folder("writes"),
  },
  unknownVerb,
);

export const stashes = byVerb(
  {
    "list show": folder("reads"),
    "drop clear": discarding,
    "pop apply save branch create store": folder("writes"),
    push: folder("writes", ({ parsed, role }) => {
      for (const path of parsed.operands.slice(1)) role("changes", path);
    }),
  },
  ({ parsed, ...act }) => (parsed.operands.length === 0 ? folder("writes")({ parsed, ...act }) : unknownVerb({ parsed, ...act })),
);
export const remotes = byVerb(
  { "show update prune": (act) => byRemotes(act, act.parsed.operands[0]), "get-url": folder("lists") },
  (act) => {
    const { operands } = act.parsed;
    const isKnown = /^(?:add|remove|rm|rename|set-url|set-head|set-branches)$/.test(operands[0]?.value ?? "");
    const isPlain = operands.every(({ certainty, value }) => certainty === "literal" && !/^(?:ext|fd)::/.test(value));
    if (operands.length === 0) folder("lists")(act);
    else if (isKnown && isPlain) writesHarmlessConfig(act);
    else writesConfig(act);
  },
);
export const submodules = byVerb(
  {
    "status summary": folder("lists"),
    foreach: runsScript,
    deinit: hooked(discarding),
    "add update init sync set-url set-branch absorbgitdirs": hooked((act) => byRemotes(act, act.parsed.operands[0])),
  },
  (act) => (act.parsed.operands.length === 0 ? folder("lists")(act) : unknownVerb(act)),
);
