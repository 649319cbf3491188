import type { AnalyzedCall } from "../call/analyzed-call";
import { findStandardInput } from "../call/standard-input";
import type { ShellReading } from "../effects/effects-of-script";
import { excerpt } from "../excerpt";
import { memoizeLast } from "../memoize-last";
import { databasePrograms } from "../programs/rows/databases";
import { findSqlOperands } from "../programs/sql-operands";
import type { ResolvedCommand } from "../script/resolved-command";
import type { Detector } from "./detector";
import { detectSqlDangers, type SqlKind, sqlKinds } from "./sql/detect-sql-dangers";
import { looksLikeSql } from "./sql/looks-like-sql";

const lost = "What a database lost this way is gone for everybody who uses it; only a backup brings it back.";
const described: Record<SqlKind, readonly [title: string, explanation: string, fix: string]> = {
  drop: ["SQL: DROP", lost, "Rename it, or leave dropping to a person."],
  truncate: ["SQL: TRUNCATE", lost, "Delete the rows that are meant, with a WHERE."],
  unbounded_change: ["SQL: every row", lost, "Say which rows are meant, with a WHERE such as `id = 5` or `id IN (5, 6)`."],
  alter_drop: ["SQL: ALTER ... DROP", lost, "Leave changing the schema to a migration that people have read."],
  grant: ["SQL: rights", "Changing rights is a decision for the database's owner.", "Ask whoever runs the database."],
  program: [
    "SQL: files and programs",
    "Some statements read and write files of the machine, or run programs on it, with the rights of the database.",
    "Move data through the client, in rows.",
  ],
  stacked: [
    "SQL: several statements",
    "A second statement behind a first one is how something is smuggled in.",
    "Send one statement at a time.",
  ],
  unreadable: ["SQL that cannot be read", "What cannot be read may do anything.", "Send one complete statement in ordinary SQL."],
};

const dangersIn = memoizeLast((call: AnalyzedCall) =>
  [...new Set(sqlTextsIn(call))].flatMap((text) => detectSqlDangers(text).map((danger) => ({ ...danger, text }))),
);
const hasDangers = (call: AnalyzedCall) => dangersIn(call).length > 0;

export const sqlDetectors: readonly Detector[] = sqlKinds.map((kind) => {
  const [title, explanation, fix] = described[kind];
  return {
    id: `sql.${kind}`,
    title,
    severity: kind === "stacked" || kind === "unreadable" ? "medium" : "high",
    explanation,
    fix,
    verdict: "require_approval",
    relaxable: true,
    // SQL in a file runs nothing, but a page may run what a browser types into it.
    appliesTo: ({ needs }) => !needs.includes("files") || needs.includes("browser"),
    mayFind: hasDangers,
    find: (call) =>
      dangersIn(call)
        .filter((danger) => danger.kind === kind)
        .map(({ what, text }) => ({ message: `\`${excerpt(text)}\` ${excerpt(what)}.`, text })),
  };
});

const sqlTool =
  /(?:^|[^a-z])(?:postgres(?:ql)?|pg|mariadb|duckdb|clickhouse|bigquery|snowflake|redshift|oracle|database|db|supabase|neon)(?:[^a-z]|$)|sql/i;
const sqlName = /^(?:sql|sql[_-]?(?:query|text|statement|command)|statements?|queries)$/i;
const sqlNameInSqlTool = /^(?:query|q|text|command|input|code|script)$/i;
const clients: ReadonlySet<string> = new Set(databasePrograms.flatMap(({ names }) => names));
/** Programs to which SQL in their words is mere text. */
const textCommands = /^(?:echo|printf|[efzr]?grep|rg|ag|git|sed|[gmn]?awk|find)$/;

function sqlTextsIn({ texts, tool, shell, commands }: AnalyzedCall): string[] {
  const isSqlTool = tool.source !== "builtin" && sqlTool.test(tool.name);
  const isSql = (name: string, text: string) => sqlName.test(name) || (isSqlTool && sqlNameInSqlTool.test(name)) || looksLikeSql(text);
  const given = texts.filter(({ name, text }) => !(shell && name === tool.primaryArgument) && isSql(name, text)).map(({ text }) => text);
  return [...given, ...commands.flatMap(({ reading }) => reading.commands.flatMap((command) => sqlOfCommand(command, reading)))];
}

function sqlOfCommand(command: ResolvedCommand, reading: ShellReading): string[] {
  const { name, words } = command;
  const given = findSqlOperands(
    name,
    words.slice(1).map(({ value }) => value),
  );
  if (!clients.has(name))
    return textCommands.test(name) ? [] : words.flatMap(({ value }) => (/\s/.test(value) && looksLikeSql(value) ? [value] : []));
  return [...given, ...findStandardInput(command, reading)].filter((text) => text.trim() !== "");
}
