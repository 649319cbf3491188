import { homePiece } from "../../script/words";
import { isInput } from "../language";
import {
  connectsTo,
  destroysElsewhere,
  loadsCode,
  type OptionMeaning,
  type Program,
  type ProgramSpec,
  program,
  runsAnother,
  runsFolderCode,
  writesFolder,
} from "../program";
import { runsFile } from "../special/npm";
import { overrideOptions } from "../special/override-options";
import { fetchesTool, forTheMachine, fromRegistry, publishes, runsCode, runsTool } from "../special/registries";

const npmHosts = ["registry.npmjs.org"];
const npmText: Record<string, OptionMeaning> = {
  "--registry": "url",
  "--prefix -C --dir --cwd": "text",
  "--script-shell --node-options --editor --viewer --shell": runsAnother,
  "--userconfig --globalconfig": "configures",
  "--cache --store-dir --cache-folder --modules-folder": "writes",
  "-w --workspace -F --filter --tag --loglevel --omit --include --save-prefix --depth --network-timeout --access --otp --scope --proxy":
    "text",
};
const npmOptions = { valued: npmText, folderOption: "--prefix -C --dir --cwd", flags: { "--save": [] } };
const npmFiles = "package.json .npmrc .yarnrc.yml";
const npmInstall: ProgramSpec = {
  ...npmOptions,
  configuredBy: npmFiles,
  special: fromRegistry(npmHosts, "--registry"),
  does: [runsFolderCode, writesFolder],
  flags: { ...npmOptions.flags, "-g --global": [forTheMachine] },
};
const npmRuns: ProgramSpec = { ...npmOptions, ...runsCode, configuredBy: npmFiles };
const npmAsks: ProgramSpec = { ...npmOptions, special: fromRegistry(npmHosts, "--registry") };
const npmPublishes: ProgramSpec = { ...npmOptions, configuredBy: npmFiles, does: [runsFolderCode, publishes("registry.npmjs.org")] };
const npmDestroys: ProgramSpec = {
  ...npmOptions,
  does: [publishes("registry.npmjs.org"), destroysElsewhere("takes back what others install from the registry")],
};
const npmConfig: ProgramSpec = {
  ...npmOptions,
  special: ({ parsed, role }) => {
    const [verb] = parsed.operands;
    if (verb && /^(?:set|delete|edit|fix)$/.test(verb.value))
      role("changes", { ...verb, value: `${homePiece}/.npmrc`, certainty: "literal" });
  },
};
const npmSubcommands: Record<string, ProgramSpec> = {
  "install i in add ci clean-install install-test it install-clean isntall update up upgrade upgrade-interactive dedupe import fetch rebuild link ln":
    npmInstall,
  "uninstall remove rm r un unlink prune dedup": { ...npmOptions, does: [runsFolderCode, writesFolder] },
  "audit outdated view info show v search find ping whoami": npmAsks,
  "pack version": npmRuns,
  "run run-script rum urn test t tst start stop restart build dev lint": npmRuns,
  exec: {
    ...npmOptions,
    ...runsTool,
    valued: overrideOptions(npmText, { "-p --package": connectsTo("registry.npmjs.org"), "-c --call --shell-mode": "script" }),
  },
  "x dlx": { ...npmOptions, operands: ["command"], does: [runsFolderCode], special: fetchesTool(npmHosts, true) },
  "create init": {
    ...npmOptions,
    does: [runsFolderCode, writesFolder],
    special: ({ parsed, does }) => void (parsed.operands.length > 0 && does(connectsTo("registry.npmjs.org"))),
  },
  "publish stage": npmPublishes,
  "unpublish deprecate owner dist-tag access token hook org team profile": npmDestroys,
  "login logout adduser": { ...npmOptions, does: [connectsTo("registry.npmjs.org")] },
  "config c set": npmConfig,
  "list ls ll la why explain root prefix bin help help-search doctor get fund sbom query licenses completion docs repo bugs cache store": {
    ...npmOptions,
  },
  "explore edit": { ...npmOptions, operands: ["text", "command"], does: [runsAnother] },
};

const pnpm: ProgramSpec = {
  ...npmOptions,
  subcommands: { ...npmSubcommands, "": { does: [runsFolderCode, writesFolder, connectsTo("registry.npmjs.org")] } },
  otherwise: npmRuns,
};

/** Package managers of JavaScript. */
export const npmPrograms: readonly Program[] = [
  program("npm", { ...npmOptions, subcommands: npmSubcommands, otherwise: npmRuns }),
  program("pnpm", pnpm),
  // The folder's .yarnrc.yml can name the program that runs as yarn.
  program("yarn", { ...pnpm, does: [runsFolderCode] }),
  program("bun", {
    ...npmOptions,
    valued: overrideOptions(npmText, {
      "-e --eval -p --print": "code",
      "-r --preload --require --import": loadsCode,
      "-c --config --env-file": "configures",
    }),
    subcommands: {
      run: { ...npmRuns, optionsFirst: true, special: runsFile },
      pm: {},
      repl: { does: [runsAnother] },
      "": {},
      ...npmSubcommands,
    },
    otherwise: npmRuns,
    special: runsFile,
    runsInput: (args) => args.some(isInput),
  }),
  program("npx pnpx bunx", {
    operands: ["command"],
    does: [runsFolderCode],
    valued: { "-p --package": "text", "-c --call": "script", "-w --workspace": "text", "--registry": "url" },
    special: fetchesTool(npmHosts, false),
  }),
  program("corepack", { does: [connectsTo("registry.npmjs.org")] }),
];
