import { Skeleton, VisuallyHidden } from "@mantine/core";
import shared from "../shared.module.css";
import classes from "./row-skeletons.module.css";

/** Grey placeholder rows with the height of the real rows, so that the page does not jump. Height in rem. */
export function RowSkeletons({ rows, height, what }: { rows: number; height: number; what: string }) {
  return (
    <div className={`${classes.rows} ${shared.framed}`} role="status">
      <VisuallyHidden>Loading {what}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <div key={row} className={classes.row} style={{ height: `${height}rem` }} aria-hidden>
          <Skeleton height={12} width={`${22 + ((row * 7) % 16)}%`} />
          <Skeleton height={10} width={`${38 + ((row * 11) % 30)}%`} />
        </div>
      ))}
    </div>
  );
}
