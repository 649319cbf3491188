import { FoldableBlock } from "@/components/ui/foldable-block";
import { MachineText } from "@/components/ui/machine-text";
import type { Json, JsonObject } from "@/contracts/common";
import type { HookStep } from "@/contracts/hooks";
import { ChangeList } from "./change-list";
import { changedArguments } from "./changed-arguments";
import classes from "./sent-arguments.module.css";

type SentArgumentsProps = {
  /** What the model sent. */
  sent: JsonObject;
  /** What runs in its place. */
  runs: JsonObject;
  /** What hooks did with the call. */
  hooks: readonly HookStep[];
};

/** Longer values, and those of several lines, stand in blocks beside each other. */
const longestInLine = 80;
/** What stands in place of secrets, and of what hooks hide. */
const mask = "***";

/** What hooks made of a call's arguments: what the model sent, beside what runs. */
export function SentArguments({ sent, runs, hooks }: SentArgumentsProps) {
  const all = changedArguments(sent, runs);
  // What ran stands with the arguments; of what was hidden from it there is nothing to put beside.
  const masked = all.filter(({ before }) => before === mask);
  const changes = all.filter((change) => !masked.includes(change));
  const long = changes.filter(({ before, after }) => isLong(before) || isLong(after));
  const short = changes.filter((change) => !long.includes(change));
  return (
    <section className={classes.changed} aria-label="What hooks changed">
      <p className={classes.heading}>{headingOf(hooks)}</p>
      {all.length === 0 ? <p className={classes.hint}>The difference is masked here.</p> : null}
      <ChangeList changes={short.map((change) => ({ ...change, hidden: false }))} />
      {long.map(({ path, before, after }) => (
        <div key={path} className={classes.pair}>
          <FoldableBlock label={`${path} · sent by the model`} text={textOf(before)} />
          <FoldableBlock label={`${path} · what runs`} text={textOf(after)} />
        </div>
      ))}
      {masked.map(({ path }) => (
        <p key={path} className={classes.hint}>
          <MachineText dim>{path}</MachineText> What the model sent here is masked.
        </p>
      ))}
    </section>
  );
}

function headingOf(hooks: readonly HookStep[]): string {
  const names = hooks.filter(({ event, outcome }) => event === "before_tool" && outcome === "changed").map(({ name }) => name);
  const by = names.length === 0 ? "" : names.length === 1 ? ` by the hook ${names[0]}` : ` by the hooks ${[...new Set(names)].join(", ")}`;
  return `Changed${by}: what the model sent → what runs`;
}

function textOf(value: Json | undefined): string {
  if (value === undefined) return "(nothing)";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function isLong(value: Json | undefined): boolean {
  const text = textOf(value);
  return text.length > longestInLine || text.includes("\n");
}
