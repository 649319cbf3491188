import { MachineText } from "./machine-text";
import { RevealedText } from "./revealed-text";

/** A sentence of ours that quotes machines between backticks: "The pattern is found in `ls -la`." */
export function MarkedSentence({ text }: { text: string }) {
  return text.split("`").map((part, place) => {
    const key = place; // Parts have no identity but their place.
    // Between the first and the second backtick, the third and the fourth; a last one without a partner quotes nothing.
    const isQuoted = place % 2 === 1;
    return isQuoted ? (
      <MachineText key={key}>
        <RevealedText text={part} />
      </MachineText>
    ) : (
      <RevealedText key={key} text={part} />
    );
  });
}
