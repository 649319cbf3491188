import shared from "@/components/kit/ui/shared.module.css";
import { FoldableBlock } from "@/components/kit/ui/text/foldable-block";
import { DiffView } from "@/components/nouns/call-views/lazy-views";
import type { ToolChange, ToolDefinition } from "@/contracts/tools/tool-changes";
import { isOfInstructions } from "./changed-name";
import classes from "./tool-changes.module.css";

type Part = ToolChange["parts"][number];

const labels: Record<Part, string> = {
  name: "Name",
  title: "Title",
  description: "Description",
  schema: "Input schema",
  outputSchema: "Output schema",
  annotations: "Hints",
};

/** Each part of a definition that differs from the pin, old and new; without a pin the whole new definition. */
export function ChangeComparison({ change }: { change: ToolChange }) {
  const { before, after, parts } = change;
  const labelOf = (part: Part) => (isOfInstructions(change) ? "Instructions" : labels[part]);
  if (before === null) {
    return (
      <div className={shared.stack}>
        {parts
          .filter((part) => part !== "name" && textOf(after, part) !== "")
          .map((part) => (
            <FoldableBlock key={part} label={labelOf(part)} text={textOf(after, part)} />
          ))}
      </div>
    );
  }
  if (parts.length === 0) {
    return (
      <p className={`${classes.note} ${shared.flush}`}>
        The visible text is the same. The server changed characters that are removed or cut off.
      </p>
    );
  }
  return (
    <div className={shared.stack}>
      {parts.map((part) => (
        <DiffView key={part} label={labelOf(part)} before={textOf(before, part)} after={textOf(after, part)} />
      ))}
    </div>
  );
}

function textOf(definition: ToolDefinition, part: Part): string {
  switch (part) {
    case "name":
      return definition.rawName;
    case "title":
      return definition.title;
    case "description":
      return definition.description;
    case "schema":
      return JSON.stringify(definition.inputSchema, null, 2);
    case "outputSchema":
      return definition.outputSchema === null ? "" : JSON.stringify(definition.outputSchema, null, 2);
    case "annotations":
      return Object.entries(definition.annotations)
        .map(([hint, value]) => `${hint}: ${value}`)
        .join("\n");
  }
}
