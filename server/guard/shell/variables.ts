import { tooMuch } from "./reading-budget";
import { here, homeFolder, unknownValue, wordBreak } from "./resolve-word";

const maxExpandedChars = 32_000;
/** So many values of a variable are remembered; more are too many for everybody who asks. */
const maxGiven = 256;
/** So many values a variable may have from branches: each of them is looked at with each command that uses it. */
const maxKept = 32;
/** Elements of one list that are known each by its number. */
const maxElements = 64;

/** So many names stand for one another. */
const maxReferences = 4;
/** What every command is handed on without being told so. */
const environment = "HOME PATH PWD OLDPWD USER LOGNAME SHELL TMPDIR".split(" ");
const everyName = "*";

/** Values of variables at the same time. */
export type Round = readonly (readonly [name: string, value: string])[];

/** What variables hold at a point of a script, as far as the script itself says. */
export class Variables {
  private readonly values: Map<string, string>;
  // `x=$x$x` doubles at each step: there is an end to what expansions may yield.
  private charsLeft = maxExpandedChars;
  /** What a variable may hold, where that is one of several values. */
  private readonly choices = new Map<string, readonly string[]>();
  /** Everything that a variable was given, and when it was given something last. */
  private readonly given = new Map<string, Given>();
  /** Names that stand for other names: `declare -n short=long`. */
  private readonly references = new Map<string, string>();
  private readonly exported = new Set<string>(environment);
  private assignments = 0;
  private isPerhaps = false;

  /** @param first what the script begins with */
  constructor(first: ReadonlyMap<string, string> = new Map()) {
    this.values = new Map(first);
  }

  get(name: string): string | null {
    return this.values.get(this.meant(name)) ?? null;
  }

  /** Makes a name stand for another one; by itself, for whatever it is given next. */
  refer(name: string, to: string | null): void {
    this.references.set(name, to ?? "");
  }

  private meant(written: string): string {
    if (this.references.size === 0) return written;
    let name = written;
    for (let step = 0; step < maxReferences; step += 1) {
      const to = this.references.get(name);
      if (!to) return name;
      name = to;
    }
    return name;
  }

  /** Hands a variable on to the commands that the shell runs; all of them, where no name is given. */
  export(name: string | null): void {
    this.exported.add(name ?? everyName);
  }

  isExported(name: string): boolean {
    return this.exported.has(name) || this.exported.has(everyName);
  }

  /** What is given in the course of it may be gone afterwards, or not be given at all: a variable may then hold what it held. */
  perhaps(give: () => void): void {
    this.isPerhaps = true;
    try {
      give();
    } finally {
      this.isPerhaps = false;
    }
  }

  /** @param choices the values of which it is one, where it may be several */
  set(written: string, value: string, choices: readonly string[] = []): void {
    if (this.references.get(written) === "") {
      this.references.set(written, value);
      return;
    }
    const name = this.meant(written);
    const kept = this.isPerhaps ? this.keptOf(name) : [];
    if (kept.length === 0) this.give(name, value, choices);
    else {
      const all = [...new Set([...kept, ...(choices.length > 0 ? choices : [value])])];
      if (all.length > maxKept) throw tooMuch();
      this.give(name, all.join(wordBreak), all);
    }
  }

  /** What a variable may go on holding. One that is empty is mostly so until it is given something, and what is not known says nothing. */
  private keptOf(name: string): readonly string[] {
    if (name === "IFS") return [];
    const choices = this.choices.get(name) ?? [this.values.get(name) ?? ""];
    return choices.filter((value) => value !== "" && value !== unknownValue);
  }

  private give(name: string, value: string, choices: readonly string[]): void {
    this.values.set(name, value);
    if (choices.length > 1) this.choices.set(name, choices);
    else this.choices.delete(name);
    this.assignments += 1;
    let given = this.given.get(name);
    if (!given) {
      const [first = value] = choices;
      given = { first, others: null, last: 0 };
      this.given.set(name, given);
    }
    given.last = this.assignments;
    if (choices.length === 0) noteGiven(given, value);
    else for (const choice of choices) noteGiven(given, choice);
  }

  /** What it may hold now; nothing where that is one value, or not known. */
  choicesOf(name: string): readonly string[] {
    return this.choices.get(this.meant(name)) ?? [];
  }

  /** Everything that it was ever given. */
  everythingIn(name: string): readonly string[] {
    const given = this.given.get(this.meant(name));
    if (given) return given.others ? [given.first, ...given.others] : [given.first];
    const first = this.get(name);
    return first === null ? [] : [first];
  }

  /** A moment, by which it can be told what was given later. */
  get now(): number {
    return this.assignments;
  }

  isGivenAfter(name: string, moment: number): boolean {
    return (this.given.get(this.meant(name))?.last ?? 0) > moment;
  }

  /** What comes of a look at words while variables hold other values. */
  during<Found>(round: Round, look: () => Found): Found {
    const before = round.map(([name]) => [this.meant(name), this.get(name)] as const);
    for (const [name, value] of round) this.values.set(this.meant(name), value);
    try {
      return look();
    } finally {
      for (const [name, value] of before) {
        if (value === null) this.values.delete(name);
        else this.values.set(name, value);
      }
    }
  }

  /** What `name=(a b)` sets: each element, the first of them as the value of the name alone, and all as words of their own. */
  setList(name: string, elements: readonly string[], append: boolean): void {
    const before = append ? this.get(`${name}[@]`)?.split(wordBreak) : undefined;
    const all = [...(before ?? []), ...elements];
    this.set(name, all[0] ?? "");
    for (const [at, element] of all.slice(0, maxElements).entries()) this.set(`${name}[${at}]`, element);
    for (const every of ["@", "*"]) this.set(`${name}[${every}]`, all.join(wordBreak));
  }

  /** What `name[1]=a` sets; under an index that is no number, as the name alone. */
  setElement(name: string, index: string, value: string): void {
    if (!/^\d\d?$/.test(index)) {
      this.set(name, value);
      return;
    }
    const all = (this.get(`${name}[@]`) ?? this.get(name) ?? "").split(wordBreak);
    while (all.length < Number(index)) all.push("");
    all[Number(index)] = value;
    this.setList(name, all, false);
  }

  /**
   * The text of an expansion.
   * @throws Error when expansions have yielded too much already
   */
  spend(text: string): string {
    this.charsLeft -= text.length;
    if (this.charsLeft < 0) throw tooMuch();
    return text;
  }
}

/** Everything that one variable was given; most are given one value only. */
type Given = { readonly first: string; others: Set<string> | null; last: number };

function noteGiven(given: Given, value: string): void {
  if (value === given.first) return;
  given.others ??= new Set();
  if (given.others.size < maxGiven - 1) given.others.add(value);
}

/** What a `sh -c` knows before the script begins: no arguments, a home, and white space between fields. */
const known: ReadonlyMap<string, string> = new Map([
  ["HOME", homeFolder],
  ["IFS", " "],
  ["PWD", here],
  ["0", "sh"],
  ["SHELL", "sh"],
  ["BASH", "bash"],
  ...["@", "*", "1", "2", "3", "4", "5", "6", "7", "8", "9"].map((name) => [name, ""] as const),
]);

export const firstVariables = (): Variables => new Variables(known);
