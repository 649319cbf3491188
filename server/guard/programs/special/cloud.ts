import { isGiven } from "../given-options";
import {
  connects,
  connectsTo,
  destroysElsewhere,
  type EffectSink,
  type FixedEffect,
  type OperandRole,
  type ProgramSpec,
  remoteCommand,
  runsFolderCode,
  uploads,
} from "../program";

export const destroysResources = destroysElsewhere("deletes what a service keeps");

const destroying =
  /^(?:rm|rb|del|delete|destroy|remove|purge|terminate|drop|wipe|reset|erase|undelete|uninstall|pg:reset|db:reset)$|^(?:delete|terminate|deregister|purge|remove|destroy|batch-delete)-|[:-](?:delete|destroy|rm|remove|reset|unset)$/;
const looking =
  /^(?:ls|list|show|get|info|describe|status|logs?|tail|head|view|inspect|whoami|version|help|search|stat|du|cat|diff|validate|check|ps|print|read|count|wait|releases|regions|history|presign|graph|output|providers|fmt)$|^(?:list|describe|get|head|show|lookup|search|filter|scan|query|batch-get|view|test|validate|estimate)-|[:-](?:list|info|show|status|ls|logs)$/;
const changing =
  /^(?:create|update|set|add|put|start|stop|restart|run|exec|execute|invoke|call|deploy|publish|push|apply|import|ssh|import|cp|mv|sync|rsync|scale|enable|disable|attach|detach|grant|revoke|patch|edit|link|login|logout|init|configure|config|trigger|resume|suspend|open|proxy|connect|forward|dev|serve|build|pull|secret|secrets)$/;
const elsewhereCommand = /^(?:ssh|exec|execute-command|start-session|send-command|run:detached|console|ps:exec|tunnel|port-forward)$/;

/**
 * Returns the words up to the first option behind them: service and verb. Later words name remote resources, and paths
 * in them are not local.
 */
function verbsOf({ parsed }: EffectSink): string[] {
  const [first] = parsed.operands;
  const end = parsed.options.find(({ word }) => first !== undefined && word.start > first.start)?.word.start ?? Number.POSITIVE_INFINITY;
  return parsed.operands
    .filter(({ start }) => start < end)
    .slice(0, 5)
    .map(({ value }) => value);
}

/** Adds the read and the upload of `--body file://x`. */
function readsLinkedFiles({ command, role, does }: EffectSink): void {
  for (const word of command.words.slice(1)) {
    const [, file] = /^(?:--[\w-]+=)?fileb?:\/\/(.+)$/s.exec(word.value) ?? [];
    if (file === undefined) continue;
    role("configures", { ...word, value: file });
    does(uploads, word);
  }
}

const bucket = /^(?:s3|gs|az|r2|https?):\/\//;

/** Adds the local side of a copy (`aws s3 cp a s3://b`) and returns its direction; null for another command. */
function copiesToBucket({ parsed, role, does }: EffectSink, verbs: readonly string[]): "up" | "down" | null {
  const at = verbs.findIndex((verb) => /^(?:cp|mv|sync|rsync|put|get|copy)$/.test(verb));
  if (at < 0 || !parsed.operands.some(({ value }) => bucket.test(value))) return null;
  const sides = parsed.operands.filter(({ value }) => !verbs.slice(0, at + 1).includes(value));
  for (const [index, word] of sides.entries()) {
    if (bucket.test(word.value) || word.value === "-") continue;
    const isTarget = index > 0 && index === sides.length - 1;
    role(isTarget ? "writes" : "reads", word, true);
    if (!isTarget) does(uploads, word);
  }
  return bucket.test(sides.at(-1)?.value ?? "") ? "up" : "down";
}

/** Adds the output file, which is the last word of `aws lambda invoke --function-name f out.json`. */
function writesAnswer({ parsed, role }: EffectSink, verbs: readonly string[]): void {
  const file = parsed.operands.at(-1);
  if (file && /^(?:invoke|get-object(?:-torrent)?)$/.test(verbs[1] ?? "") && parsed.operands.length > 2) role("writes", file);
}

function speaksTo(host: string | null, more: { runsFolder?: RegExp } = {}): (act: EffectSink) => void {
  const place = host === null ? connects : connectsTo(host);
  return (act) => {
    const { does } = act;
    const verbs = verbsOf(act);
    const [first] = verbs;
    if (first === undefined || /^(?:version|help|completion)$/.test(first)) return;
    readsLinkedFiles(act);
    writesAnswer(act, verbs);
    const copied = copiesToBucket(act, verbs);
    const known = verbs.find((verb) => looking.test(verb) || changing.test(verb));
    if (isGiven(act.parsed, "--delete") || verbs.some((verb) => destroying.test(verb))) {
      does({ ...place, kind: "send" });
      does(destroysResources);
    } else if (copied === "down" || (copied === null && known !== undefined && looking.test(known))) does(place);
    else does({ ...place, kind: "send" });
    if (verbs.some((verb) => elsewhereCommand.test(verb))) does(remoteCommand);
    if (more.runsFolder && verbs.some((verb) => more.runsFolder?.test(verb))) does(runsFolderCode);
  };
}

const accessText: Record<string, OperandRole> = {
  "--region --profile --output --query --project --account --subscription -g --resource-group --format --app -a --token --scope --team -t --org --site --config --cwd --env --environment --name -n --cluster --zone --api-version --api-key --exclude --include --filter -m -h -o -p --ssm-region --log-group-name --function-name --payload --image -e -r --remote":
    "text",
};
export const cloud = (host: string | null, more: { runsFolder?: RegExp; configuredBy?: string } = {}): ProgramSpec => ({
  valued: {
    ...accessText,
    "--endpoint-url": "url",
    "--template-file --zip-file --var-file": "configures",
    "--credential-file --key-file --cli-input-json --cli-input-yaml -c": "text",
  },
  actsByOptions: true,
  ...(more.configuredBy ? { configuredBy: more.configuredBy } : {}),
  special: speaksTo(host, more),
});
const plansValued: Record<string, OperandRole> = {
  "-chdir": "text",
  "-out -state-out -backup -generate-config-out": "writes",
  "-var-file -state -backend-config -config": "configures",
  "-var -target -replace -lock-timeout -parallelism -lock -input -refresh -from-module -plugin-dir -provider": "text",
};
export const plan = (does: readonly FixedEffect[], more: ProgramSpec = {}): ProgramSpec => ({
  wordOptions: true,
  valued: plansValued,
  folderOption: "-chdir",
  configuredBy: "*.tf *.tofu *.tf.json *.tfvars *.tfvars.json terragrunt.hcl",
  operands: ["text"],
  does,
  ...more,
});
