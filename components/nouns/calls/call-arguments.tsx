import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { FoldableBlock } from "@/components/kit/ui/text/foldable-block";
import { formatBytes } from "@/components/kit/ui/text/format-bytes";
import { MarkedText } from "@/components/kit/ui/text/marked-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { TextMark } from "@/components/kit/ui/text/split-marks";
import { drawCommand } from "@/components/nouns/call-views/command-text";
import { DiffView, JsonTree } from "@/components/nouns/call-views/lazy-views";
import { evidenceMarks } from "@/components/nouns/effects/evidence-marks";
import type { JsonObject } from "@/contracts/common";
import type { Effect } from "@/contracts/decisions/effects";
import classes from "./call-arguments.module.css";
import { type ShownArgument, toShownArguments } from "./shown-arguments";

type CallArgumentsProps = {
  args: JsonObject;
  primaryArgument: string | null;
  /** The tool's input schema, for the order of the arguments and for folding defaults. */
  schema?: JsonObject | undefined;
  /** Effects of the call, for underlining the words that cause them. */
  effects?: readonly Effect[] | undefined;
  /** Arguments that are left out, because another view shows them. */
  without?: readonly string[];
};

/** The arguments of a call by kind: a command as a command, an edit as a diff, JSON as a tree. */
export function CallArguments({ args, primaryArgument, schema, effects = [], without = [] }: CallArgumentsProps) {
  const all = toShownArguments(args, primaryArgument, schema);
  const shown = all.filter(({ name, isDefault }) => !isDefault && !without.includes(name));
  const defaults = all.filter(({ isDefault }) => isDefault);
  if (all.length === 0) return <p className={shared.note}>No arguments</p>;
  if (shown.length + defaults.length === 0) return null;
  const draw = (argument: ShownArgument) => <Argument key={argument.name} argument={argument} marks={marksOf(argument, args, effects)} />;
  return (
    <div className={`${classes.list} ${shared.stackClose}`}>
      {shown.map(draw)}
      {defaults.length > 0 ? (
        <details className={`${classes.defaults} ${shared.small}`}>
          <summary>{defaults.length === 1 ? "1 default" : `${defaults.length} defaults`}</summary>
          <div className={`${classes.list} ${shared.stackClose}`}>{defaults.map(draw)}</div>
        </details>
      ) : null}
    </div>
  );
}

/** Returns the marks of an argument. The offsets need a text that is shown as it was sent. */
function marksOf(argument: ShownArgument, args: JsonObject, effects: readonly Effect[]): TextMark[] {
  return "text" in argument && args[argument.name] === argument.text ? evidenceMarks(argument.name, argument.text, effects) : [];
}

function Argument({ argument, marks }: { argument: ShownArgument; marks: readonly TextMark[] }) {
  switch (argument.kind) {
    case "command":
      return (
        <FoldableBlock
          label={argument.name === "command" ? "Command" : argument.name}
          text={argument.text}
          marks={marks}
          draw={drawCommand(argument.text)}
        />
      );
    case "request":
      return (
        <p className={classes.request}>
          <strong className={classes.method}>
            <RevealedText text={argument.method} />
          </strong>{" "}
          <CodeText>
            <MarkedText text={argument.text} marks={marks} />
          </CodeText>
        </p>
      );
    case "edit":
      return <DiffView label="Replaces this text" before={argument.before} after={argument.after} />;
    case "text":
      return <FoldableBlock label={`${argument.name} · ${sizeOf(argument)}`} text={argument.text} marks={marks} />;
    case "json":
      return <JsonTree label={argument.name} value={argument.value} />;
    case "value":
      return (
        <div className={classes.value}>
          <span className={classes.name}>
            <RevealedText text={argument.name} />
          </span>
          <span className={classes.frame}>
            <CodeText>{argument.text === "" ? '""' : <MarkedText text={argument.text} marks={marks} />}</CodeText>
          </span>
        </div>
      );
  }
}

function sizeOf({ lines, bytes }: { lines: number; bytes: number }): string {
  if (bytes === 0) return "empty";
  return `${lines.toLocaleString("en")} ${lines === 1 ? "line" : "lines"}, ${formatBytes(bytes)}`;
}
