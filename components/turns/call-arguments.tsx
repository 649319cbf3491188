import { FoldableBlock } from "@/components/ui/foldable-block";
import { MachineText } from "@/components/ui/machine-text";
import { RevealedText } from "@/components/ui/revealed-text";
import type { JsonObject } from "@/contracts/common";
import { argumentsToShow, type ShownArgument } from "./arguments-to-show";
import classes from "./call-arguments.module.css";
import { inBytes } from "./in-bytes";

/** The arguments of a call as a person reads them best: a command as a command, a file as its path and text, JSON as JSON. */
export function CallArguments({ args, primaryArgument }: { args: JsonObject; primaryArgument: string | null }) {
  const shown = argumentsToShow(args, primaryArgument);
  if (shown.length === 0) return <p className={classes.none}>No arguments</p>;
  return (
    <div className={classes.list}>
      {shown.map((argument) => (
        <Argument key={argument.name} argument={argument} />
      ))}
    </div>
  );
}

function Argument({ argument }: { argument: ShownArgument }) {
  switch (argument.kind) {
    case "command":
      return <FoldableBlock label={argument.name === "command" ? "Command" : argument.name} text={argument.text} />;
    case "text":
      return <FoldableBlock label={`${argument.name} · ${sizeOf(argument)}`} text={argument.text} />;
    case "json":
      return <FoldableBlock label={argument.name} text={argument.text} />;
    case "value":
      return (
        <div className={classes.value}>
          <span className={classes.name}>{argument.name}</span>
          <span className={classes.frame}>
            <MachineText>{argument.text === "" ? '""' : <RevealedText text={argument.text} />}</MachineText>
          </span>
        </div>
      );
  }
}

function sizeOf({ lines, bytes }: { lines: number; bytes: number }): string {
  if (bytes === 0) return "empty";
  return `${lines.toLocaleString("en")} ${lines === 1 ? "line" : "lines"}, ${inBytes(bytes)}`;
}
