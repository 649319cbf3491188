import { CopyButton } from "./copy-button";
import classes from "./short-id.module.css";

const shownCharacters = 8;

/** The end of an id, which differs even between ids of the same second. Copying gives the whole id. */
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
