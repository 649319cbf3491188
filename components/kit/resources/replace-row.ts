/** Returns rows with a changed one in the place of its earlier state. */
export const replaceRow = <Row extends { id: string }>(rows: readonly Row[], changed: Row): Row[] =>
  rows.map((row) => (row.id === changed.id ? changed : row));
