/** A pause between two keys after which they are no longer letters of one typed text. */
export const pauseMs = 300;

/** Keys that move or select, then one key that answers. Any other run of letters is text. */
const isCommand = (letters: string) => /^[jkx]*[acre]$/.test(letters);
const isStep = (letter: string) => /^[jkx]$/.test(letter);

/**
 * Tells a key that decides from the same letter in typed text. A decision waits until no other letter has followed for
 * `pauseMs`; steps that are pressed meanwhile follow the decision, any other letter makes all of them text.
 */
export function createKeyBurst() {
  let letters = "";
  let lastAt = Number.NEGATIVE_INFINITY;
  let held: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const drop = () => {
    clearTimeout(timer);
    held = [];
  };
  const release = () => {
    const runs = held;
    drop();
    for (const run of runs) run();
  };
  const hold = (run: () => void) => {
    clearTimeout(timer);
    held.push(run);
    timer = setTimeout(release, pauseMs);
  };

  return {
    /**
     * Takes note of every key before it acts. A key that is no letter ends the run of letters.
     * @param key the event's `key`; @param at the event's time stamp
     */
    note: (key: string, at: number) => {
      if (key.length !== 1) {
        letters = "";
        return;
      }
      const letter = key.toLowerCase();
      letters = at - lastAt < pauseMs ? letters + letter : letter;
      lastAt = at;
      if (held.length > 0 && !isStep(letter)) drop();
    },
    /** Runs a decision after the pause, unless its key is part of a text. */
    decide: (run: () => void) => {
      if (isCommand(letters)) hold(run);
    },
    /** Runs what opens a form at once, unless its key is part of a text. */
    open: (run: () => void) => {
      if (isCommand(letters)) run();
    },
    /** Runs a step at once, or after the decision that is waiting for its pause. */
    step: (run: () => void) => {
      if (held.length > 0) hold(run);
      else run();
    },
    drop,
  };
}

export type KeyBurst = ReturnType<typeof createKeyBurst>;
