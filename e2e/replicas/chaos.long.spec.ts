import { expect, test } from "@playwright/test";
import { runChaos } from "./chaos";
import type { Role } from "./replica";

/** The same in every run of the tests; `npm run chaos` takes others, and more kills. */
const seed = 20_261_122;

const cases: { what: string; roles: Role[]; kills: number }[] = [
  { what: "web and worker replicas are killed at random moments", roles: ["web", "web", "worker", "worker"], kills: 4 },
  { what: "the only process there is gets killed again and again", roles: ["all"], kills: 2 },
];

for (const { what, roles, kills } of cases) {
  test(`${what}, and nothing is lost, nothing happens twice, and the audit tells all of it`, async () => {
    test.setTimeout(600_000);
    const said: string[] = [];
    const { violations, ...figures } = await runChaos({ seed, kills, roles, clients: 6, say: (line) => said.push(line) });
    test.info().annotations.push({ type: "figures", description: JSON.stringify({ seed, ...figures }) });
    expect(violations, `seed ${seed}\n${said.join("\n")}`).toEqual([]);
    expect(figures.turns).toBeGreaterThan(kills);
  });
}
