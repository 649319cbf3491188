import dynamic from "next/dynamic";
import { FoldableBlock } from "@/components/kit/ui/text/foldable-block";
import type { Json } from "@/contracts/common";
import type { ResultChart } from "./read-chart";

type Comparison = { label: string; before: string; after: string };
type Tree = { label: string; value: Json };

/** A diff of two texts; shows the whole new text when the code cannot be loaded. */
export const DiffView = dynamic<Comparison>(() => import("./diff-view").then((file) => file.default).catch(() => NewText));
/** A JSON tree; shows plain JSON when the code cannot be loaded. */
export const JsonTree = dynamic<Tree>(() => import("./json-tree").then((file) => file.default).catch(() => JsonText));
/** A chart; nothing when the code cannot be loaded, because the numbers stand in the result. */
export const ChartView = dynamic<{ chart: ResultChart }>(() => import("./chart-view").then((file) => file.default).catch(() => NoChart));

function NoChart() {
  return null;
}

function NewText({ label, before, after }: Comparison) {
  return (
    <>
      <FoldableBlock label={`${label} · before`} text={before} />
      <FoldableBlock label={`${label} · after`} text={after} />
    </>
  );
}

function JsonText({ label, value }: Tree) {
  return <FoldableBlock label={label} text={JSON.stringify(value, null, 2)} />;
}
