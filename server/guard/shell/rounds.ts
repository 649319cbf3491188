import type { Word, WordPart } from "unbash";
import { type ReadingBudget, tooMuch } from "./reading-budget";
import type { Round, Variables } from "./variables";

/** Of what is only given later, no more rounds than these are looked at. */
const maxLaterRounds = 32;
/** Nobody writes down so many values that are put together. */
const maxRounds = 200;
/** Files that one redirection may open. */
const maxTargets = 200;

/** What comes of words that hold variables with several values: each way in which these go together, or the first of them. */
type Rounds = { rounds: readonly Round[]; areAll: boolean };

const noRounds: Rounds = { rounds: [], areAll: true };

/**
 * The rounds of a loop in which words become something else each time, because they are put together: `find . -d$x`. A
 * variable by itself stands there with all that it may hold.
 * @throws Error when there are too many
 */
export function roundsOf(words: readonly Word[], variables: Variables): readonly Round[] {
  const { rounds, areAll } = combined(words.flatMap(variablesPutTogether), (name) => variables.choicesOf(name), maxRounds);
  if (!areAll) throw tooMuch();
  return rounds;
}

/** The rounds in which variables hold what they are only given later: in a loop, what stands behind runs before. */
export function laterRoundsOf(words: readonly Word[], variables: Variables, moment: number): readonly Round[] {
  const names = words.flatMap(variablesIn);
  if (!names.some((name) => variables.isGivenAfter(name, moment))) return [];
  return combined(names, (name) => variables.everythingIn(name), maxLaterRounds).rounds;
}

/** The rounds that go through everything that some of the variables in words were ever given. */
export function everyRoundOf(words: readonly Word[], variables: Variables, isSought: (name: string) => boolean): readonly Round[] {
  return combined(words.flatMap(variablesIn).filter(isSought), (name) => variables.everythingIn(name), maxLaterRounds).rounds;
}

/**
 * The values that a text may have.
 * @param ever whatever its variables were given at any time counts, and not only what they may hold now
 * @throws Error when there are too many
 */
export function textsOf(
  word: Word,
  variables: Variables,
  { ever, budget }: { ever: boolean; budget: ReadingBudget },
  resolve: () => string,
): readonly string[] {
  const valuesOf = (name: string) => (ever ? variables.everythingIn(name) : variables.choicesOf(name));
  const { rounds, areAll } = combined(variablesIn(word), valuesOf, maxTargets);
  if (rounds.length === 0) return [resolve()];
  if (!areAll) throw tooMuch();
  budget.spend(2 * rounds.length);
  return rounds.map((round) => variables.during(round, resolve));
}

function combined(names: readonly string[], valuesOf: (name: string) => readonly string[], max: number): Rounds {
  let rounds: Round[] = [[]];
  for (const name of new Set(names)) {
    const values = valuesOf(name);
    if (values.length === 0) continue;
    const next: Round[] = [];
    for (const round of rounds) {
      for (const value of values) {
        if (next.length === max) return { rounds: next, areAll: false };
        next.push([...round, [name, value]]);
      }
    }
    rounds = next;
  }
  return rounds[0]?.length === 0 ? noRounds : { rounds, areAll: true };
}

const flattened = (parts: readonly WordPart[]): readonly WordPart[] =>
  parts.flatMap((part): readonly WordPart[] => {
    if (part.type === "BraceExpansion") return part.parts ? flattened(part.parts) : [part];
    return part.type === "DoubleQuoted" || part.type === "LocaleString" ? part.parts : [part];
  });

export function variablesIn({ parts = [] }: Word): string[] {
  return flattened(parts).flatMap((part) => {
    if (part.type === "SimpleExpansion") return [part.text.slice(1)];
    return part.type === "ParameterExpansion" ? [part.index ? `${part.parameter}[${part.index.value}]` : part.parameter] : [];
  });
}

/** The variables in a word that has something beside them. */
function variablesPutTogether(word: Word): string[] {
  return flattened(word.parts ?? []).length < 2 ? [] : variablesIn(word);
}
