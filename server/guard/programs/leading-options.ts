import type { ProgramSpec } from "./program";

/** Options that stand before a program's subcommand, as far as the program table does not name them. */
export type LeadingOptions = {
  /** Options with a value. */
  valued?: string;
  /** Options without a value. */
  bare?: string;
  /** Options without a value that only change how much is printed, so that an allow rule may set them aside. */
  harmless?: string;
};

const quiet = "-q --quiet -s --silent -v --verbose --no-color";
const npm: LeadingOptions = {
  valued: "--userconfig --globalconfig --cache --registry --prefix -C --dir --cwd -w --workspace -F --filter --loglevel",
  bare: "-g --global -y --yes -f --force --dry-run --json --workspaces -ws --ignore-scripts --offline --prefer-offline -r --recursive --no-save",
  harmless: `${quiet} --no-progress --no-fund --no-audit`,
};
const docker: LeadingOptions = { valued: "-H --host --config -c --context -l --log-level", bare: "-D --debug --tls --tlsverify" };
const compose: LeadingOptions = { bare: "--all-resources --compatibility --dry-run --verbose" };
const pip: LeadingOptions = {
  valued: "--python --log --keyring-provider --proxy --retries --timeout --exists-action --trusted-host --cert --client-cert --cache-dir",
  bare: "--debug --isolated --require-virtualenv --no-input --no-cache-dir --use-pep517",
  harmless: "-v -vv -vvv --verbose -q -qq --quiet --no-color --disable-pip-version-check",
};
const kubernetes: LeadingOptions = {
  valued: "--profile --profile-output --tls-server-name --as-uid --kube-as-user --kube-as-group --kube-apiserver --kube-token",
  bare: "--insecure-skip-tls-verify --match-server-version --warnings-as-errors --disable-compression --debug",
};
const systemManager: LeadingOptions = {
  valued:
    "-t --type --state -p --property -P --signal -s -n --lines -o --output -H --host -M --machine --root --image --job-mode --kill-who --kill-whom --what --when",
  bare: "--user --system --global --runtime --now -f --force --no-block --wait -a --all -l --full --no-ask-password --dry-run -r --recursive --reverse",
  harmless: "-q --quiet --no-pager --no-legend",
};
const packages: LeadingOptions = {
  valued: "-t --target-release -a --host-architecture",
  bare: "-y --yes --assume-yes -d --download-only -f --fix-broken --no-install-recommends --purge --allow-downgrades --auto-remove -s --simulate --dry-run",
  harmless: "-q -qq --quiet",
};

const leading: Readonly<Record<string, LeadingOptions>> = {
  git: {
    valued: "--list-cmds --shallow-file --exec-path",
    bare: "-p --paginate --bare -v --version -h --help --html-path --man-path --info-path --no-replace-objects --icase-pathspecs --glob-pathspecs --noglob-pathspecs",
    harmless: "-P --no-pager --no-optional-locks --literal-pathspecs --no-advice --no-lazy-fetch",
  },
  "npm pnpm yarn bun": npm,
  "docker podman nerdctl": docker,
  "compose docker-compose podman-compose": compose,
  "pip pip3": pip,
  uv: { valued: "--config-file --color", bare: "-n --no-cache --offline --managed-python --no-progress", harmless: "-q --quiet" },
  "poetry pdm": { valued: "-P", bare: "-n --no-interaction --no-plugins --no-cache --ansi", harmless: "-q --quiet --no-ansi" },
  "kubectl oc helm": kubernetes,
  "systemctl loginctl machinectl": systemManager,
  "apt apt-get aptitude yum dnf zypper apk brew": packages,
  aws: {
    valued: "--ca-bundle --cli-read-timeout --cli-connect-timeout --cli-binary-format --color",
    bare: "--debug --no-verify-ssl --no-paginate --no-sign-request --no-cli-auto-prompt",
    harmless: "--no-cli-pager",
  },
  gcloud: {
    valued: "--verbosity --configuration --impersonate-service-account --billing-project --flags-file --trace-token",
    bare: "-q --quiet --log-http --user-output-enabled --no-user-output-enabled",
  },
  az: { bare: "--debug --only-show-errors --verbose" },
  "gh hub glab": { valued: "-R --repo --hostname", bare: "--version --help" },
  "terraform tofu terragrunt": { valued: "-chdir", bare: "-help -version -no-color" },
  cargo: { bare: "--offline --locked --frozen --list -V --version", harmless: quiet },
  "make gmake": { bare: "-B -k -n -s -i -S -w --silent --keep-going --dry-run --always-make", harmless: "--no-print-directory" },
};

const byProgram: ReadonlyMap<string, LeadingOptions> = new Map(
  Object.entries(leading).flatMap(([names, options]) => names.split(" ").map((name) => [name, options] as const)),
);

/** Returns whether a program is known to have subcommands, perhaps several levels of them. */
export function hasSubcommands(name: string, spec: ProgramSpec | null): boolean {
  return byProgram.has(name) || spec?.subcommands !== undefined;
}

/** Whether the next word is the value of an option. `unknown`: it may be. */
export type OptionShape = "bare" | "valued" | "unknown";

type Known = { shapes: ReadonlyMap<string, OptionShape>; harmless: ReadonlySet<string> };
const nothing: Known = { shapes: new Map(), harmless: new Set() };
const bySpec = new WeakMap<ProgramSpec, Map<string, Known>>();

const split = (names: string | undefined): string[] => (names ? names.split(" ") : []);

/** Collects the known options of a program or subcommand from the program table and the list above. */
function knownOptions(name: string, spec: ProgramSpec | null): Known {
  const options = byProgram.get(name);
  if (spec === null && !options) return nothing;
  const known = spec ? bySpec.get(spec)?.get(name) : undefined;
  if (known) return known;
  const shapes = new Map<string, OptionShape>();
  for (const names of Object.keys(spec?.valued ?? {})) for (const option of split(names)) shapes.set(option, "valued");
  for (const names of Object.keys(spec?.flags ?? {})) for (const option of split(names)) shapes.set(option, "bare");
  for (const option of split(spec?.attached)) shapes.set(option, "bare");
  for (const option of split(options?.valued)) if (!shapes.has(option)) shapes.set(option, "valued");
  for (const option of [...split(options?.bare), ...split(options?.harmless)]) if (!shapes.has(option)) shapes.set(option, "bare");
  const found = { shapes, harmless: new Set(split(options?.harmless)) };
  if (spec) bySpec.set(spec, (bySpec.get(spec) ?? new Map<string, Known>()).set(name, found));
  return found;
}

/** Returns whether the word after an option is the option's value. */
export function shapeOfOption(word: string, name: string, spec: ProgramSpec | null): OptionShape {
  const { shapes } = knownOptions(name, spec);
  const known = shapes.get(word);
  if (known) return known;
  if (word.startsWith("--") || spec?.wordOptions) return word.includes("=") ? "bare" : (shapes.get(word.slice(1)) ?? "unknown");
  // `-DNAME=value` holds its value.
  if (word.includes("=") && !shapes.has(word.slice(0, 2))) return "bare";
  for (let at = 1; at < word.length; at += 1) {
    const letter = shapes.get(`-${word.charAt(at)}`);
    if (letter === undefined) return "unknown";
    // A letter with a value takes the rest of the word, or else the next word.
    if (letter === "valued") return at === word.length - 1 ? "valued" : "bare";
  }
  return "bare";
}

/** Returns whether an allow rule may set an option aside, because the option only changes how much is printed. */
export function isHarmlessOption(word: string, name: string, spec: ProgramSpec | null): boolean {
  const { harmless, shapes } = knownOptions(name, spec);
  return harmless.has(word) && shapes.get(word) === "bare";
}
