/** The layers of the house. Biome's import rules and the picture in docs/architecture.md are generated from these tables. */

/** A step of server's staircase imports the steps behind it in this list, and never those before it. */
export const steps: readonly { name: string; rooms: readonly string[] }[] = [
  { name: "start", rooms: ["start", "backup"] },
  { name: "entry", rooms: ["api", "http", "mcp/serve"] },
  { name: "families", rooms: ["families"] },
  { name: "flow", rooms: ["turns", "runs", "jobs"] },
  { name: "sources", rooms: ["mcp/connect"] },
  { name: "runtime", rooms: ["tools"] },
  { name: "policy", rooms: ["policy", "approvals", "hooks"] },
  {
    name: "record",
    rooms: ["resources", "endpoints", "audit-log", "audit", "auth", "agents", "conversations", "contacts", "models", "replicas"],
  },
  { name: "ground", rooms: ["capabilities", "retrieval", "secrets", "sql-text", "platform"] },
];

export type Rule = { includes: readonly string[]; group: readonly string[]; message: string };

/** Shelves of components: the kit below the nouns below the pages. */
const shelves: readonly string[] = ["kit", "nouns", "pages"];

/** An absolute import and a relative detour to the same folder. */
const folder = (name: string) => [`@/${shelves.includes(name) ? "components/" : ""}${name}/**`, `../**/${name}/**`];
const room = (name: string) => [`@/server/${name}/**`, `../**/${name}/**`, ...(name === "families" ? ["@/server/families"] : [])];

const rooms: readonly Rule[] = [
  {
    includes: ["contracts/*", "!contracts/*.test.ts"],
    group: ["**", "!zod", "!./**"],
    message: "contracts import zod and each other, nothing else.",
  },
  {
    includes: ["contracts/*/**", "!contracts/**/*.test.ts", "!contracts/browser/**", "!contracts/lib/**"],
    group: ["**", "!zod", "!./**", "!../**", "../../**"],
    message: "contracts import zod and each other, nothing else.",
  },
  {
    includes: ["contracts/lib/**", "!contracts/**/*.test.ts"],
    group: ["**", "!./**", "!../common"],
    message: "Helpers of contracts know no noun: they import each other and contracts/common.",
  },
  {
    includes: ["components/**"],
    group: ["server", "db", "app"].flatMap(folder),
    message: "components use the REST API like everybody: import contracts, never server, db or app.",
  },
  {
    includes: ["components/kit/**"],
    group: ["server", "db", "app", "nouns", "pages"].flatMap(folder),
    message: "The kit knows no noun and no page: it imports contracts and itself.",
  },
  {
    includes: ["components/nouns/**"],
    group: ["server", "db", "app", "pages"].flatMap(folder),
    message: "A noun imports the kit and other nouns, never a page.",
  },
  { includes: ["app/**"], group: folder("db"), message: "app asks server; only server touches db." },
  { includes: ["db/**"], group: ["server", "components", "app"].flatMap(folder), message: "db imports contracts and itself." },
  {
    includes: ["e2e/**"],
    group: [...["server", "db", "components", "app"].flatMap(folder), "!@/server/testing/platforms/**"],
    message: "e2e knows the product from the outside: HTTP, contracts and the servers that stand for platforms.",
  },
];

const guard: Rule = {
  includes: ["server/guard/**", "!server/guard/**/*.test.ts"],
  group: [
    "@/**",
    "!@/contracts/**",
    "!@/server/secrets/**",
    "!@/server/sql-text/**",
    "!@/server/platform/char-codes",
    "../**/db/**",
    "node:fs",
    "node:fs/**",
    "node:net",
    "node:child_process",
  ],
  message: "The guard is pure: it imports contracts, the shapes of secrets and the reader of SQL, and what it judges is handed to it.",
};

/** The guard is no step: every step above these two may use it. */
const withoutGuard = ["record", "ground"];

function ruleOf({ name, rooms: own }: (typeof steps)[number], index: number): Rule {
  const above = steps.slice(0, index).flatMap((step) => step.rooms);
  const guarded = withoutGuard.includes(name) ? ["guard"] : [];
  return {
    includes: own.map((place) => `server/${place}/**`),
    group: [
      ...["components", "app"].flatMap(folder),
      ...[...above, ...guarded].flatMap(room),
      // Within a family imports are relative, so that an absolute one always leads to another family.
      ...(name === "families" ? ["@/server/families/**"] : []),
    ],
    message:
      name === "families"
        ? "Families never import each other: they meet through capabilities, events and the core. See docs/architecture.md."
        : `The step '${name}' imports only steps below it, and never components or app: see docs/architecture.md.`,
  };
}

/** `start` stands above all and imports what it wants. */
export const importRules: readonly Rule[] = [...rooms, ...steps.map(ruleOf).slice(1), guard];

/** The staircase as docs/architecture.md shows it. */
export function staircase(): string {
  const width = Math.max(...steps.map(({ name }) => name.length)) + 2;
  return steps.map(({ name, rooms: own }) => `${name.padEnd(width)}${own.join("  ")}`).join("\n");
}
