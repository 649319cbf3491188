import { queryLimits } from "../engines/engine";

/** Documentation of sql_query beyond its description. */
export const sqlQueryDocumentation = `
Use datasource first: it lists the data sources with their dbType, then their tables and columns. Guessing names costs a failed query.

{"dataSource":"sales","sql":"SELECT month, sum(amount) AS total FROM orders GROUP BY month ORDER BY month"}

- One SELECT, which may begin with WITH. No semicolon, no second statement. The session is read-only, so a statement that writes is refused.
- EXPLAIN of a SELECT shows its plan: EXPLAIN (ANALYZE, BUFFERS) in PostgreSQL, EXPLAIN ANALYZE in MySQL, ANALYZE in MariaDB, EXPLAIN QUERY PLAN in
  SQLite, EXPLAIN indexes = 1 in ClickHouse. With ANALYZE the query runs, within the same time.
- SHOW reads settings in PostgreSQL (SHOW work_mem), and tables, columns, indexes, variables and the like in MySQL and ClickHouse.
- Write the dialect of dbType: quotes, dates and LIMIT differ between PostgreSQL, MySQL, ClickHouse and SQLite.
- At most ${queryLimits.rows} rows and ${queryLimits.timeMs / 1_000} seconds. Aggregate in the database instead of reading all rows, name the columns instead of *, and
  go through a long list with ORDER BY, LIMIT and OFFSET. The result says when there are more rows.
- A small result is a Markdown table, a larger one JSON with columns and rows. The measures of a GROUP BY also come as a chart, which the user sees;
  "chart": true asks for one of other rows. Keys, and numbers that a chart cannot hold exactly, are never drawn.

Errors
- The column or table does not exist: ask datasource for its columns, and mind upper and lower case.
- The time is up: EXPLAIN shows why. Filter by a column with an index, or look at fewer days.
- No rows: check the value that you compare with, by SELECT DISTINCT of its column.`.trim();
