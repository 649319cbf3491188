/** A sentence with `back ticks` around machine text. */
export function Prose({ text }: { text: string }) {
  return text.split("`").map((part, index) => {
    // Parts with an odd place stood between two ticks; the text never changes, so its places are good keys.
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text
    return index % 2 === 1 ? <code key={index}>{part}</code> : <span key={index}>{part}</span>;
  });
}
