import { CodeText } from "./code-text";
import { RevealedText } from "./revealed-text";

/** A sentence of ours with machine text between backticks: "The pattern is found in `ls -la`." */
export function MarkedSentence({ text }: { text: string }) {
  return text.split("`").map((part, place) => {
    const key = place; // Parts have no id, so their position is the key.
    // Odd parts stand between two backticks; a last backtick without a partner quotes nothing.
    const isQuoted = place % 2 === 1;
    return isQuoted ? (
      <CodeText key={key}>
        <RevealedText text={part} />
      </CodeText>
    ) : (
      <RevealedText key={key} text={part} />
    );
  });
}
