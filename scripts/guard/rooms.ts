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

const storedTests = ["server/guard/{rules,versions,policy-file,simulation}/*.test.ts"];

function pureRoom(name: string, moreTests: readonly string[]): Room {
  return { code: [`server/guard/${name}/**/*.ts`, ...notStored], tests: [`server/guard/${name}/**/*.test.ts`, ...moreTests] };
}

/** A room that reads and writes the policy. */
function storedRoom(name: string): Room {
  return {
    code: [`server/guard/${name}/**/*.ts`],
    tests: storedTests,
    needsDatabase: true,
  };
}

/** What reads the policy, and what it is tried on, from the database: in the rooms of the decision, but no part of it. */
const storedFiles = [
  "server/guard/{breathe,evaluate-call,find-guarded-tool,not-evaluated,policy}.ts",
  "server/guard/grants/read-grants.ts",
  "server/guard/matching/tool-names.ts",
];
const notStored = storedFiles.map((pattern) => `!${pattern}`);

/** What a verdict is made of, without the detectors: the code whose every branch is tried. */
export const decisionRooms: Readonly<Record<string, Room>> = {
  decision: {
    code: ["server/guard/*.ts", ...notStored],
    tests: ["server/guard/!(known-dangers).test.ts"],
  },
  matching: pureRoom("matching", [decisionTests]),
  floor: pureRoom("floor", []),
  grants: pureRoom("grants", []),
  refusals: pureRoom("refusals", []),
  surface: pureRoom("surface", []),
};

export const rooms: Readonly<Record<string, Room>> = {
  ...decisionRooms,
  stored: {
    code: storedFiles,
    tests: [...storedTests, "server/guard/{breathe,not-evaluated}.test.ts"],
    needsDatabase: true,
  },
  rules: storedRoom("rules"),
  versions: storedRoom("versions"),
  "policy-file": storedRoom("policy-file"),
  simulation: storedRoom("simulation"),
  shell: { code: ["server/guard/shell/**/*.ts"], tests: ["server/guard/shell/!(*.property|*.shells).test.ts", ...corpusTests] },
  detectors: {
    code: ["server/guard/detectors/*.ts", "server/guard/detectors/sql/*.ts"],
    tests: ["server/guard/detectors/{,sql/}*.test.ts"],
  },
  "shell-danger": {
    code: ["server/guard/detectors/shell-danger/*.ts"],
    tests: ["server/guard/detectors/**/*.test.ts", ...corpusTests],
  },
};
