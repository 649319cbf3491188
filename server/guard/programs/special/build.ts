import { isGiven } from "../given-options";
import {
  connectsTo,
  destroysElsewhere,
  type EffectSink,
  type FixedEffect,
  type ProgramSpec,
  runsAnother,
  runsFolderCode,
  writesFolder,
} from "../program";
import { overrideOptions } from "./override-options";

export const publishes: FixedEffect = { kind: "send", target: { where: "not_known" }, irreversible: true };

/** Notes variables of make: `make target NAME=value`. Make runs the value of some variables, and `$(shell …)` in any. */
export function setsVariables({ parsed, does }: EffectSink): void {
  for (const word of parsed.operands) {
    if (/^(?:\.?SHELL(?:FLAGS)?|(?:GNU)?MAKE(?:FLAGS|FILES)?|CC|CXX|LD|AR)[:+?]?=|^[^=]+=.*(?:\$[({]|[`;|&])/.test(word.value))
      does(runsAnother, word);
  }
}

/** Reads or changes the operands by the verb: `ruff check --fix a.py`, `ruff format a.py`. */
export function changesByVerb({ parsed, role }: EffectSink): void {
  const [verb, ...files] = parsed.operands;
  const isChanging = (verb?.value === "format" && !isGiven(parsed, "--check --diff")) || isGiven(parsed, "--fix --unsafe-fixes --add-noqa");
  for (const file of files) role(isChanging ? "changes" : "reads", file, true);
}

export function emits({ parsed, does }: EffectSink): void {
  if (!isGiven(parsed, "--noEmit")) does(writesFolder);
}

/** Recognises goals that leave the folder: `mvn deploy`, `gradle publish`. */
export function reachesGoals({ parsed, does }: EffectSink): void {
  for (const word of parsed.operands) {
    if (/^(?:deploy|publish\w*|upload\w*|release:\w+|site-deploy|bintray\w*)$|:(?:deploy|publish\w*)$/.test(word.value))
      does(publishes, word);
    else if (/^(?:dependency|versions):|^(?:wrapper|dependencies)$/.test(word.value)) does(connectsTo("repo.maven.apache.org"), word);
  }
  if (isGiven(parsed, "--refresh-dependencies -U --update-snapshots")) does(connectsTo("repo.maven.apache.org"));
}

/** Tasks of frameworks that empty or drop the database of the folder's settings. */
const resettingTask =
  /^(?:db:(?:drop|reset|purge|wipe|truncate_all|migrate:reset|seed:replant|schema:load)(?::\w+)?|migrate:(?:fresh|refresh|reset)|ecto\.(?:drop|reset)|flush|reset_db)$/;

/** Recognises tasks that destroy the data of a database: `rails db:drop`, `manage.py flush`. */
export function resetsData({ parsed, does }: EffectSink): void {
  for (const word of parsed.operands) if (resettingTask.test(word.value)) does(destroysElsewhere("deletes what a database keeps"), word);
}

/** Options that name output files and folders. */
export const outputs =
  "-o --out --output --outfile --out-dir --outdir --outDir --outFile --output-file --output-dir --output-path --destination --dest -d --dist-dir --cache-location --cache-dir --cacheDir --coverage-directory --coverageDirectory --report-file --junitxml --junit-xml --basetemp --log-file --tsBuildInfoFile --declarationDir";
export const configs =
  "-c --config --config-path -p --project --tsconfig --rootDir --rootdir --root --ignore-path --setup-files --setupFilesAfterEnv --env-file --resolve-plugins-relative-to";
export const texts =
  "-k -m -n -t -j --jobs --maxWorkers --testNamePattern --test-name-pattern --testPathPattern --reporter --reporters --format -f --grep -g --timeout --retries --workers --shard --browser --env --ext --rule --max-warnings --parser --target --module --lib --jsx --moduleResolution --port --host --select --ignore --line-length --exclude --include --filter -w --mode --tb --maxfail --durations --cov --cov-report --cov-fail-under -r --seed --output-format --strategy --base --log-level --extend-select --per-file-ignores --python-version --target-version";
export const tool = (more: ProgramSpec = {}): ProgramSpec => ({
  operands: ["reads"],
  ...more,
  does: [runsFolderCode, ...(more.does ?? [])],
  flags: { "--coverage --cache --declaration --report --test": [], ...more.flags },
  valued: overrideOptions({ [texts]: "text", [outputs]: "writes", [configs]: "configures" }, more.valued ?? {}),
});
/** Builds the spec of a program whose words name targets and scripts, and no paths. */
export const targets = (more: ProgramSpec = {}): ProgramSpec => ({
  operands: ["text"],
  ...more,
  does: [runsFolderCode, ...(more.does ?? [])],
});
