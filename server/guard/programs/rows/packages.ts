import {
  connects,
  connectsTo,
  destroysElsewhere,
  type OperandRole,
  type Program,
  type ProgramSpec,
  program,
  runsAnother,
  runsFolderCode,
  writesFolder,
} from "../program";
import { cargo, go } from "../special/packages";
import { fetchesTool, fromRegistry, looks, publishes, runsCode, runsTool } from "../special/registries";
import { npmPrograms } from "./npm";
import { systemPackagePrograms } from "./system-packages";

const pipHosts = ["pypi.org", "files.pythonhosted.org"];
const pipText: Record<string, OperandRole> = {
  "-r --requirement -c --constraint --config-settings": "configures",
  "-i --index-url --extra-index-url --index --default-index --proxy": "url",
  "-f --find-links": "remote_read",
  "-e --editable": "configures",
  "-t --target --prefix --root -d --dest --src --log --cache-dir -w --wheel-dir --report": "writes",
  "-p --python --python-version --platform --implementation --abi --timeout --retries --trusted-host --format --progress-bar --no-binary --only-binary --upgrade-strategy --root-user-action --only --group -G --extra --with --without -E -n --name --directory --project -C --package":
    "text",
};
const pipInstall: ProgramSpec = {
  flags: { "--pre --upgrade": [] },
  valued: pipText,
  folderOption: "--directory --project -C",
  special: fromRegistry(pipHosts, "-i --index-url --default-index"),
  does: [runsFolderCode, writesFolder],
};
const pipChanges: ProgramSpec = { valued: pipText, does: [writesFolder] };
const pipSubcommands: Record<string, ProgramSpec> = {
  "install wheel": pipInstall,
  download: { ...pipInstall, does: [writesFolder] },
  "search index": { special: fromRegistry(pipHosts) },
  uninstall: pipChanges,
  "list show freeze check help debug inspect config cache hash completion": { valued: pipText },
};
const runsInProject: ProgramSpec = {
  ...runsTool,
  valued: {
    "--with --with-editable --index --default-index": { role: "text", does: pipHosts.map(connectsTo) },
    "--with-requirements --env-file": "configures",
    "-p --python --project --directory --package --extra --group --only-group --no-group -n --name": "text",
    "-m --module": runsFolderCode,
  },
  folderOption: "--directory --project",
};
const pythonProject: Record<string, ProgramSpec> = {
  "install add sync lock update upgrade init new self build export": pipInstall,
  "remove uninstall": pipChanges,
  run: runsInProject,
  "show list check env version about help config cache graph": { valued: pipText },
  shell: { does: [runsAnother] },
  publish: { does: [publishes("upload.pypi.org")] },
};
const runsFetched: ProgramSpec = {
  operands: ["command"],
  does: [runsFolderCode],
  valued: { "--from --with -p --python --spec --pip-args": "text" },
  special: fetchesTool(pipHosts, true),
};

const cargoHosts = ["crates.io", "index.crates.io", "static.crates.io"];
const goHosts = ["proxy.golang.org", "sum.golang.org"];
const gemHosts = ["rubygems.org", "index.rubygems.org"];
const gemText: Record<string, OperandRole> = {
  "-v --version -P --trust-policy -j --jobs --retry --without --with --group --platform": "text",
  "-i --install-dir -n --bindir --path --binstubs": "writes",
  "-s --source --host": "url",
  "--gemfile -g --file": "configures",
};
const gemInstall: ProgramSpec = { valued: gemText, special: fromRegistry(gemHosts, "-s --source"), does: [runsFolderCode, writesFolder] };
const phpHosts = ["repo.packagist.org", "api.github.com"];
const condaFetches: ProgramSpec = {
  valued: { "-n --name -c --channel": "text", "-p --prefix": "writes", "-f --file": "configures" },
  does: [connectsTo("repo.anaconda.com"), connectsTo("conda.anaconda.org"), runsFolderCode, writesFolder],
};
const modelHub: ProgramSpec = {
  valued: { "--repo-type --revision --include --exclude --token": "text", "--local-dir --cache-dir": "writes" },
};
const versionManager: ProgramSpec = {
  subcommands: {
    "list ls current which where version versions show active help info whoami status doctor latest plugin-list config env alias global local default set":
      looks,
    use: { flags: { "--install-if-missing": [connects] } },
    "exec x": { ...runsTool },
    "run which-run": { operands: ["text", "command"], does: [runsFolderCode] },
  },
  otherwise: { does: [connects, writesFolder] },
};

/** Package managers: they fetch from registries, publish there, and run code of the folder. */
export const packagePrograms: readonly Program[] = [
  ...systemPackagePrograms,
  ...npmPrograms,
  program("pip pip3", { subcommands: pipSubcommands, valued: pipText }),
  program("uv", {
    valued: pipText,
    folderOption: "--directory --project",
    subcommands: {
      ...pythonProject,
      pip: { subcommands: { ...pipSubcommands, "sync compile": pipInstall } },
      tool: { subcommands: { run: runsFetched, "list dir": looks, uninstall: pipChanges }, otherwise: pipInstall },
      venv: { operands: ["writes"] },
    },
  }),
  program("uvx", runsFetched),
  program("pipx", { subcommands: { run: runsFetched, "list environment": looks, uninstall: pipChanges }, otherwise: pipInstall }),
  program("poetry pipenv pdm hatch rye", {
    valued: pipText,
    folderOption: "--directory -C --project",
    subcommands: pythonProject,
    otherwise: runsCode,
  }),
  program("conda mamba micromamba", {
    subcommands: {
      "list info search config help": { valued: { "-n --name": "text", "-f --file": "reads" } },
      env: {
        subcommands: { "list export config": { valued: { "-n --name": "text", "-f --file": "writes" } }, remove: pipChanges },
        otherwise: condaFetches,
      },
      run: { ...runsTool, valued: { "-n --name -p --prefix --cwd": "text" } },
      "remove uninstall clean": pipChanges,
      "activate deactivate init": runsCode,
    },
    otherwise: condaFetches,
  }),
  program("cargo", {
    ...cargo({}),
    subcommands: {
      "add install update fetch search vendor generate-lockfile info": cargo({
        special: fromRegistry(cargoHosts, "--git --index"),
        does: [runsFolderCode, writesFolder],
      }),
      "version help": cargo({}),
      "remove rm init new clean": cargo({ does: [writesFolder] }),
      publish: cargo({ does: [runsFolderCode, publishes("crates.io")] }),
      "yank owner": cargo({ does: [destroysElsewhere("changes what others install from the registry")] }),
      "login logout": cargo({ does: [connectsTo("crates.io")] }),
    },
    otherwise: cargo(runsCode),
  }),
  program("go", {
    ...go({}),
    subcommands: {
      "get install": go({ special: fromRegistry(goHosts), does: [runsFolderCode, writesFolder] }),
      mod: { subcommands: { "init edit why graph verify": looks }, otherwise: { does: [...goHosts.map(connectsTo), writesFolder] } },
      "version help doc list": go({}),
      env: { flags: { "-w -u": [{ kind: "write", target: { where: "inside", path: ".config/go/env" } }, runsAnother] }, wordOptions: true },
      generate: go({ does: [runsFolderCode, runsAnother] }),
      run: go({
        does: [runsFolderCode],
        special: ({ parsed, does }) => {
          if (parsed.operands[0]?.value.includes("@")) for (const host of goHosts) does(connectsTo(host));
        },
      }),
    },
    otherwise: go(runsCode),
  }),
  program("gem", {
    valued: { "--config-file": { role: "reads", does: [runsAnother] } },
    subcommands: {
      "list search which contents specification environment env info help dependency outdated": {
        valued: gemText,
        flags: { "-r --remote -b --both": gemHosts.map(connectsTo) },
      },
      "install update fetch i": gemInstall,
      "uninstall cleanup": { valued: gemText, does: [writesFolder] },
      build: runsCode,
      "push yank owner signin": { does: [publishes("rubygems.org")] },
    },
    otherwise: { does: [runsAnother] },
  }),
  program("bundle bundler", {
    valued: gemText,
    subcommands: {
      "": { does: [runsFolderCode, writesFolder, ...gemHosts.map(connectsTo)] },
      "install update add lock outdated package cache": gemInstall,
      "exec e": runsTool,
      "config help": looks,
      "remove clean init": { does: [writesFolder] },
    },
    otherwise: runsCode,
  }),
  program("composer", {
    valued: { "-d --working-dir": "text" },
    folderOption: "-d --working-dir",
    subcommands: {
      help: looks,
      "run-script run exec dump-autoload dumpautoload test show licenses validate why depends status": {
        operands: ["text"],
        does: [runsFolderCode],
      },
      "remove init config": { does: [runsFolderCode, writesFolder] },
    },
    otherwise: { special: fromRegistry(phpHosts), does: [runsFolderCode, writesFolder] },
  }),
  program("nuget", {
    subcommands: { push: { does: [publishes("api.nuget.org")] }, "help list locals": looks },
    otherwise: { does: [connectsTo("api.nuget.org"), writesFolder] },
  }),
  program("twine", {
    subcommands: { check: { operands: ["reads"] } },
    otherwise: {
      operands: ["reads"],
      valued: { "-r --repository -u --username -p --password -c --comment": "text", "--repository-url": "url", "--config-file": "reads" },
      does: [publishes("upload.pypi.org")],
    },
  }),
  program("pod", {
    subcommands: {
      "install update repo outdated search setup": { does: [connectsTo("cdn.cocoapods.org"), runsFolderCode, writesFolder] },
      "trunk push": { does: [publishes("trunk.cocoapods.org")] },
    },
    otherwise: runsCode,
  }),
  program("huggingface-cli hf", {
    subcommands: {
      "env version whoami scan-cache": looks,
      upload: { ...modelHub, operands: ["text", "reads"], does: [publishes("huggingface.co")] },
    },
    otherwise: { ...modelHub, does: [connectsTo("huggingface.co"), writesFolder] },
  }),
  program("nvm fnm volta asdf mise rustup pyenv rbenv nodenv jenv sdk", versionManager),
];
