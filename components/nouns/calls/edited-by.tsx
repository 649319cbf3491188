import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { ActorRef, Json, JsonObject } from "@/contracts/common";
import classes from "./edited-by.module.css";

/** Marks a call that runs with an approver's arguments; nothing for any other call. */
export function EditedBadge({ by }: { by: ActorRef | undefined }) {
  if (!by) return null;
  return (
    <span className={`${classes.badge} ${shared.askTint}`}>
      Edited by <RevealedText text={by.name} />
    </span>
  );
}

type AskedArgumentsProps = {
  asked: JsonObject | undefined;
  runs: Json;
  by: ActorRef | undefined;
};

/** The arguments that an approver replaced, struck out; nothing for a call that nobody edited. */
export function AskedArguments({ asked, runs, by }: AskedArgumentsProps) {
  if (!asked || !by) return null;
  return (
    <section className={classes.asked} aria-label="Arguments before the edit">
      <p className={classes.heading}>
        Approved with changes by <RevealedText text={by.name} />. Asked before the edit:
      </p>
      <dl className={classes.changes}>
        {replacedArguments(asked, runs).map(([name, value]) => (
          <div key={name} className={classes.change}>
            <dt>
              <CodeText dim>
                <RevealedText text={name} />
              </CodeText>
            </dt>
            <dd>
              {value === undefined ? (
                <span className={shared.dim}>added by the approver</span>
              ) : (
                <del>
                  <CodeText>
                    <RevealedText text={typeof value === "string" ? value : JSON.stringify(value)} />
                  </CodeText>
                </del>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Returns the arguments that an edit changed, with the value before; undefined for an argument that the edit added. */
export function replacedArguments(asked: JsonObject, runs: Json): [name: string, asked: Json | undefined][] {
  const ran = typeof runs === "object" && runs !== null && !Array.isArray(runs) ? runs : {};
  const names = [...new Set([...Object.keys(asked), ...Object.keys(ran)])];
  return names.filter((name) => JSON.stringify(asked[name]) !== JSON.stringify(ran[name])).map((name) => [name, asked[name]]);
}
