import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { FoldableBlock } from "@/components/kit/ui/text/foldable-block";
import type { Json, JsonObject } from "@/contracts/common";
import type { HookStep } from "@/contracts/hooks/hooks";
import { ChangeList } from "./change-list";
import { changedArguments } from "./changed-arguments";
import classes from "./sent-arguments.module.css";

type SentArgumentsProps = {
  /** Arguments that the model sent. */
  sent: JsonObject;
  /** Arguments that run. */
  runs: JsonObject;
  /** Hook runs of the call. */
  hooks: readonly HookStep[];
};

/** Longer values, and those of several lines, are shown as blocks side by side. */
const maxInlineChars = 80;
/** Mask of secrets and of values that hooks hide. */
const mask = "***";

/** Changes that hooks made to a call's arguments, the sent values beside the executed ones. */
export function SentArguments({ sent, runs, hooks }: SentArgumentsProps) {
  const all = changedArguments(sent, runs);
  // A masked value has no comparison; the executed value is shown with the arguments.
  const masked = all.filter(({ before }) => before === mask);
  const changes = all.filter((change) => !masked.includes(change));
  const long = changes.filter(({ before, after }) => isLong(before) || isLong(after));
  const short = changes.filter((change) => !long.includes(change));
  return (
    <section className={classes.changed} aria-label="Changes by hooks">
      <p className={`${classes.heading} ${shared.strong}`}>{headingOf(hooks)}</p>
      {all.length === 0 ? <p className={classes.hint}>The difference is masked here.</p> : null}
      <ChangeList changes={short.map((change) => ({ ...change, hidden: false }))} />
      {long.map(({ path, before, after }) => (
        <div key={path} className={classes.pair}>
          <FoldableBlock label={`${path} · sent by the model`} text={textOf(before)} />
          <FoldableBlock label={`${path} · executed`} text={textOf(after)} />
        </div>
      ))}
      {masked.map(({ path }) => (
        <p key={path} className={classes.hint}>
          <CodeText dim>{path}</CodeText> The model's value is masked.
        </p>
      ))}
    </section>
  );
}

function headingOf(hooks: readonly HookStep[]): string {
  const names = hooks.filter(({ event, outcome }) => event === "before_tool" && outcome === "changed").map(({ name }) => name);
  const by = names.length === 0 ? "" : names.length === 1 ? ` by the hook ${names[0]}` : ` by the hooks ${[...new Set(names)].join(", ")}`;
  return `Changed${by}: sent by the model → executed`;
}

function textOf(value: Json | undefined): string {
  if (value === undefined) return "(nothing)";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function isLong(value: Json | undefined): boolean {
  const text = textOf(value);
  return text.length > maxInlineChars || text.includes("\n");
}
