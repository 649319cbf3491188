import { parseArgs } from "node:util";
import { runChaos } from "./chaos";
import type { Role } from "./replica";

/** `npm run chaos -- --kills 200 --seed 7 --roles web,web,worker,worker`: on what is built. */
const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    roles: { type: "string", default: "web,web,worker,worker" },
    clients: { type: "string", default: "8" },
  },
});

const seed = Number(values.seed);
const roles = values.roles.split(",").map((role): Role => {
  if (role === "web" || role === "worker" || role === "all") return role;
  throw new Error(`--roles takes web, worker and all, not ${role}`);
});
console.log(`seed ${seed}`);
// Ctrl-C: no further kills, but what happened so far is checked.
let isEnough = false;
process.once("SIGINT", () => {
  isEnough = true;
});
const startedAt = Date.now();
const verdict = await runChaos({
  seed,
  kills: Number(values.kills),
  roles,
  clients: Number(values.clients),
  say: (line) => console.log(line),
  enough: () => isEnough,
});
const { violations, ...figures } = verdict;
console.log(JSON.stringify({ seed, seconds: Math.round((Date.now() - startedAt) / 1_000), ...figures }, null, 2));
for (const violation of violations) console.log(`VIOLATION ${violation}`);
console.log(violations.length === 0 ? "Nothing was lost and nothing happened twice." : `${violations.length} violations`);
process.exit(violations.length === 0 ? 0 : 1);
