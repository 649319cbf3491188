import { CopyButton } from "./copy-button";
import classes from "./short-id.module.css";

const shownCharacters = 8;

/** The end of an id, where two ids made in the same second differ; copying gives all of it. */
export function ShortId({ id, what = "id" }: { id: string; what?: string }) {
  return (
    <span className={classes.id}>
      <code className={classes.code} title={id}>
        {id.length > shownCharacters ? `…${id.slice(-shownCharacters)}` : id}
      </code>
      <CopyButton text={id} what={what} size="xs" />
    </span>
  );
}
