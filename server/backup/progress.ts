import "server-only";

/** Receives sentences for the operator. */
export type Say = (sentence: string) => void;

const betweenMs = 5_000;

/** Says a sentence at most every five seconds. */
export function sayNowAndThen(say: Say): (sentence: () => string) => void {
  let last = Date.now();
  return (sentence) => {
    if (Date.now() - last < betweenMs) return;
    last = Date.now();
    say(`  ${sentence()}`);
  };
}

const units = ["B", "kB", "MB", "GB", "TB"];

export function size(bytes: number): string {
  const step = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1_000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`;
}

export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? noun : nouns}`;
