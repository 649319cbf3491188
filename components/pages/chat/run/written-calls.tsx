import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { LiveCall } from "./live-reply";
import classes from "./written-calls.module.css";

/** Characters of the arguments that are shown: the last ones, because they change. */
const shownChars = 300;

/** Calls while the model writes them. Nothing of them runs before the reply is complete. */
export function WrittenCalls({ calls }: { calls: readonly LiveCall[] }) {
  return (
    <ul className={`${shared.stackClose} ${shared.plainList}`} aria-label="Calls that the model writes">
      {calls.map(({ index, name, arguments: text }) => (
        <li key={index} className={classes.call}>
          <CodeText>
            <RevealedText text={name} />
          </CodeText>
          <span className={classes.arguments}>
            <RevealedText text={text.length > shownChars ? `… ${text.slice(-shownChars)}` : text} />
          </span>
        </li>
      ))}
    </ul>
  );
}
