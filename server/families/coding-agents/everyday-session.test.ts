import { expect, test } from "vitest";
import { ask, askCommand, useCodingStage } from "@/server/testing/coding-stage";

const stage = useCodingStage();
const shop = "/home/ada/shop";

/** The calls of a day's session with a coding agent, in order: reading, changing, testing, committing. */
const session: readonly (string | [tool: string, input: Record<string, string>])[] = [
  "git status",
  "ls -la",
  "git log --oneline -10",
  ["Read", { file_path: `${shop}/README.md` }],
  ["Read", { file_path: `${shop}/package.json` }],
  ["Glob", { pattern: "**/*.ts", path: shop }],
  ["Grep", { pattern: "createOrder", path: `${shop}/src` }],
  "grep -rn 'createOrder' src | head -20",
  ["Read", { file_path: `${shop}/src/orders.ts` }],
  "sed -n 1,80p src/orders.ts",
  "wc -l src/*.ts",
  "git checkout -b fix/order-total",
  "npm test",
  "npx vitest run src/orders.test.ts",
  ["Edit", { file_path: `${shop}/src/orders.ts`, old_string: "a", new_string: "b" }],
  ["Write", { file_path: `${shop}/src/orders.test.ts`, content: "test" }],
  "npx vitest run src/orders.test.ts 2>&1 | tail -30",
  ["Edit", { file_path: `${shop}/src/orders.ts`, old_string: "b", new_string: "c" }],
  "npm test -- --run",
  "npx tsc --noEmit",
  "npm run lint",
  "npx biome check --write src",
  "npx prettier --write src/orders.ts",
  "git diff",
  "git diff --stat",
  "mkdir -p src/tax && touch src/tax/index.ts",
  ["Write", { file_path: `${shop}/src/tax/index.ts`, content: "export {};" }],
  "mv src/tax/index.ts src/tax/tax.ts",
  "cp src/orders.ts src/orders.backup.ts",
  "cat src/orders.ts | head -40",
  "node --version && npm --version",
  "cat package.json | jq .scripts",
  "rg -n 'total' src",
  "ls src src/tax",
  "node scripts/seed.js",
  "python3 scripts/check.py",
  "make build",
  "npm run build",
  "rm -rf dist",
  "npm run build 2>&1 | tail -5",
  "ls dist",
  "NODE_ENV=test npm test",
  "cd src && ls",
  `cd ${shop} && git status --short`,
  "git add -A",
  'git commit -m "fix(orders): totals include the tax"',
  "git show --stat HEAD",
  "git stash list",
  "git branch -a",
  ["TodoWrite", {}],
  ["Agent", { prompt: "Look for other totals", subagent_type: "Explore" }],
  "which node",
  "pwd",
  "echo done",
  "tail -20 npm-debug.log",
  "diff src/orders.ts src/orders.backup.ts",
  "git rebase main",
  "git log main..HEAD --oneline",
  "npm install --save-dev @types/node",
  "git push -u origin fix/order-total",
];

test("of 60 everyday calls of a session at most 3 ask a person, and none is denied", { timeout: 60_000 }, async () => {
  expect(session).toHaveLength(60);
  const asked: string[] = [];
  for (const [place, call] of session.entries()) {
    const callId = `c${place}`;
    const { verdict } =
      typeof call === "string" ? await askCommand(stage, call, { callId }) : await ask(stage, { tool: call[0], input: call[1], callId });
    expect(verdict, JSON.stringify(call)).not.toBe("deny");
    if (verdict === "pending") asked.push(JSON.stringify(call));
  }
  expect(asked.length, asked.join(", ")).toBeLessThanOrEqual(3);
});
