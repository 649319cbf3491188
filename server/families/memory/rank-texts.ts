import { FieldIndex } from "@/server/retrieval/field-index";

/** Ranks short texts, each with a name and a content, by the words of a request, best first. */
export function rankTexts<Row extends { id: string }>(
  rows: readonly Row[],
  textsOf: (row: Row) => [name: string, content: string],
  request: string,
  limit: number,
): { row: Row; score: number }[] {
  const index = new FieldIndex({
    fields: [
      { name: "name", weight: 2, shortness: 0.5 },
      { name: "content", weight: 1, shortness: 0.75 },
    ],
    related: () => new Map(),
    weightOf: () => 1,
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of rows) {
    const [name, content] = textsOf(row);
    index.put(row.id, { name, content });
  }
  return index
    .rank(request, () => true)
    .slice(0, limit)
    .flatMap(({ name, score }) => {
      const row = byId.get(name);
      return row ? [{ row, score }] : [];
    });
}
