import { Fragment, type ReactNode } from "react";
import shared from "../shared.module.css";
import { RevealedText } from "../text/revealed-text";
import classes from "./facts.module.css";

/** Names and values in two columns, stacked on a phone. A null value omits its line. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt className={shared.dim}>
              <RevealedText text={name} />
            </dt>
            <dd className={`${classes.value} ${shared.wrapping}`}>
              <RevealedText text={value} />
            </dd>
          </Fragment>
        ))}
    </dl>
  );
}
