/** Tokens of full schemas in a request above which the least used tools move to the directory. */
export const schemaTokenBudget = 12_000;

export type Weighed = { name: string; tokens: number; lastUsedAt: Date | null };

/**
 * Returns the tools to move to the directory so that the others fit the budget: never used tools first, then the least
 * recently used, ties by name.
 */
export function toolsOverBudget(tools: readonly Weighed[], budgetTokens: number): string[] {
  let tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0);
  const leastUsed = tools.toSorted((a, b) => (a.lastUsedAt?.getTime() ?? 0) - (b.lastUsedAt?.getTime() ?? 0) || (a.name < b.name ? -1 : 1));
  const moved: string[] = [];
  for (const { name, tokens: own } of leastUsed) {
    if (tokens <= budgetTokens) break;
    tokens -= own;
    moved.push(name);
  }
  return moved;
}
