/** Code of the guard, and the tests that answer for it. */
export type Room = {
  /** Patterns from the root of the repository. */
  code: readonly string[];
  /** A mutant that survives costs all of them: the corpora are only asked where nothing else can tell. */
  tests: readonly string[];
  /** Whether any of the tests asks a Postgres. */
  needsDatabase?: boolean;
};

const decisionTests = "server/guard/decide*.test.ts";
const corpusTests = "corpus/guard/*.test.ts";
const notProduct = ["!server/guard/**/*.test.ts"];

function pureRoom(name: string, moreTests: readonly string[] = []): Room {
  return { code: [`server/guard/${name}/**/*.ts`, ...notProduct], tests: [`server/guard/${name}/**/*.test.ts`, ...moreTests] };
}

/** A room that reads and writes the policy. */
function policyRoom(name: string): Room {
  return {
    code: [`server/policy/${name}/*.ts`, "!server/policy/**/*.test.ts"],
    tests: ["server/policy/**/*.test.ts"],
    needsDatabase: true,
  };
}

/** The code that makes a verdict, without the detectors. Every branch of it is tried. */
export const decisionRooms: Readonly<Record<string, Room>> = {
  decision: { code: ["server/guard/*.ts", ...notProduct], tests: ["server/guard/*.test.ts"] },
  matching: pureRoom("matching", [decisionTests]),
  floor: pureRoom("floor"),
  grants: pureRoom("grants"),
  named: pureRoom("named", ["server/guard/refusals/*.test.ts", "server/guard/matching/rules-of-actions.test.ts"]),
  refusals: pureRoom("refusals"),
  surface: pureRoom("surface"),
  effects: pureRoom("effects", ["server/guard/programs/*.test.ts", "server/guard/*.test.ts"]),
  programs: pureRoom("programs", ["server/guard/effects/*.test.ts"]),
};

export const rooms: Readonly<Record<string, Room>> = {
  ...decisionRooms,
  call: pureRoom("call", ["server/guard/matching/*.test.ts"]),
  script: pureRoom("script", ["server/guard/effects/*.test.ts", "server/guard/programs/*.test.ts", corpusTests]),
  paths: pureRoom("paths"),
  hosts: pureRoom("hosts", ["server/guard/detectors/network*.test.ts"]),
  detectors: pureRoom("detectors"),
  policy: { code: ["server/policy/*.ts", "!server/policy/**/*.test.ts"], tests: ["server/policy/**/*.test.ts"], needsDatabase: true },
  rules: policyRoom("rules"),
  versions: policyRoom("versions"),
  "policy-file": policyRoom("policy-file"),
  simulation: policyRoom("simulation"),
};
