/** Code of the guard, and the tests that answer for it. */
export type Room = {
  /** Patterns from the root of the repository. */
  code: readonly string[];
  /**
   * A mutant that survives costs all of them, again and again: corpora, fuzz tests and tests that start real shells are only
   * asked where nothing else can tell.
   */
  tests: readonly string[];
  /** Whether any of the tests asks a Postgres. */
  needsDatabase?: boolean;
};

const decisionTests = "server/guard/decide*.test.ts";
const corpusTests = ["server/guard/corpus/*.test.ts", "server/guard/known-dangers.test.ts"];

function pureRoom(name: string, moreTests: readonly string[]): Room {
  return { code: [`server/guard/${name}/**/*.ts`], tests: [`server/guard/${name}/**/*.test.ts`, ...moreTests] };
}

/** A room that reads and writes the policy. */
function storedRoom(name: string): Room {
  return {
    code: [`server/guard/${name}/**/*.ts`],
    tests: ["server/guard/{rules,versions,policy-file,simulation}/*.test.ts"],
    needsDatabase: true,
  };
}

/** What a verdict is made of, without the detectors: the code whose every branch is tried. */
export const decisionRooms: Readonly<Record<string, Room>> = {
  decision: { code: ["server/guard/*.ts"], tests: ["server/guard/!(known-dangers).test.ts", "server/guard/matching/*.test.ts"] },
  matching: pureRoom("matching", [decisionTests]),
  floor: pureRoom("floor", []),
  grants: pureRoom("grants", [decisionTests]),
  refusals: pureRoom("refusals", [decisionTests]),
  surface: pureRoom("surface", []),
};

export const rooms: Readonly<Record<string, Room>> = {
  ...decisionRooms,
  rules: storedRoom("rules"),
  versions: storedRoom("versions"),
  "policy-file": storedRoom("policy-file"),
  simulation: storedRoom("simulation"),
  shell: { code: ["server/guard/shell/**/*.ts"], tests: ["server/guard/shell/allow-shell.test.ts", ...corpusTests] },
  detectors: pureRoom("detectors", corpusTests),
};
