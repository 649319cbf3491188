import { toErrorSentence } from "@/components/kit/api/error-sentence";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./skill-picker.module.css";
import type { useSkillPicker } from "./use-skill-picker";

/** The skills of the agent above the field; the focus stays in the field. */
export function SkillPicker({ picker }: { picker: ReturnType<typeof useSkillPicker> }) {
  const { isOpen, items, index, list, optionId, pick, error } = picker;
  if (!isOpen) return null;
  if (items.length === 0) {
    return (
      <p className={classes.none} role="status" id={list}>
        {error ? toErrorSentence(error) : "No skill of this agent fits. Escape closes this list."}
      </p>
    );
  }
  return (
    <div className={classes.list} role="listbox" id={list} aria-label="Skills">
      {items.map(({ id, name, description }, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys
        <div
          key={id}
          id={optionId(at)}
          role="option"
          tabIndex={-1}
          aria-selected={at === index}
          className={classes.option}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => pick(name)}
        >
          <span className={`${classes.name} ${shared.oneLine}`}>
            <RevealedText text={name} />
          </span>
          <span className={`${classes.description} ${shared.oneLine}`}>
            <RevealedText text={description} />
          </span>
        </div>
      ))}
    </div>
  );
}
