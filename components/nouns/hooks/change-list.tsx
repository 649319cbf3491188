import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Json } from "@/contracts/common";
import type { HookChange } from "@/contracts/hooks/hooks";
import classes from "./hooks.module.css";

/** Changes that a hook made: the old and the new value at each place. */
export function ChangeList({ changes }: { changes: readonly HookChange[] }) {
  if (changes.length === 0) return null;
  return (
    <dl className={classes.changes}>
      {changes.map(({ path, before, after, hidden }) => (
        <div key={path} className={classes.change}>
          <dt>
            <CodeText dim>{path || "all of it"}</CodeText>
          </dt>
          <dd className={classes.values}>
            {hidden ? <span className={shared.dim}>hidden</span> : <Value value={before} absent="nothing" />}
            <span aria-hidden>→</span>
            <Value value={after} absent={hidden ? "hidden" : "nothing"} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value, absent }: { value: Json | undefined; absent: string }) {
  if (value === undefined) return <span className={shared.dim}>{absent}</span>;
  return (
    <span className={shared.wraps}>
      <CodeText>
        <RevealedText text={typeof value === "string" ? value : JSON.stringify(value)} />
      </CodeText>
    </span>
  );
}
