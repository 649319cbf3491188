/** Rows per statement: Postgres takes 65,535 parameters, and a tool has some forty columns. */
const batchSize = 500;

/** Splits a list into batches that fit one statement. */
export function inBatches<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / batchSize);
  return Array.from({ length: count }, (_, index) => items.slice(index * batchSize, (index + 1) * batchSize));
}
