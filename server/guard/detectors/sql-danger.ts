import type { CallOnTrial } from "../call-on-trial";
import { excerpt } from "../excerpt";
import { rememberLatest } from "../remember-latest";
import { attachedValue, isLongOption } from "../shell/long-option";
import type { RunningCommand } from "../shell/running-commands";
import type { Detector } from "./detector";
import { dangersInSql, type SqlKind, sqlKinds } from "./sql/dangers";

type Described = Pick<Detector, "title" | "severity" | "explanation" | "fix">;

const lost = "What a database lost this way is gone for everybody who uses it; only a backup brings it back.";
const described: Record<SqlKind, Described> = {
  drop: { title: "SQL: DROP", severity: "high", explanation: lost, fix: "Rename it, or leave dropping to a person." },
  truncate: { title: "SQL: TRUNCATE", severity: "high", explanation: lost, fix: "Delete the rows that are meant, with a WHERE." },
  unbounded_change: { title: "SQL: every row", severity: "high", explanation: lost, fix: "Say which rows are meant, with a WHERE." },
  alter_drop: {
    title: "SQL: ALTER ... DROP",
    severity: "high",
    explanation: lost,
    fix: "Leave changing the schema to a migration that people have read.",
  },
  grant: {
    title: "SQL: rights",
    severity: "high",
    explanation: "Who may do what in a database is for those to say who answer for it.",
    fix: "Ask whoever runs the database.",
  },
  program: {
    title: "SQL: files and programs",
    severity: "high",
    explanation: "Some statements read and write files of the machine, or run programs on it, with the rights of the database.",
    fix: "Move data through the client, in rows.",
  },
  stacked: {
    title: "SQL: several statements",
    severity: "medium",
    explanation: "A second statement behind a first one is how something is smuggled in.",
    fix: "Send one statement at a time.",
  },
  unreadable: {
    title: "SQL that cannot be read",
    severity: "medium",
    explanation: "What cannot be read may do anything.",
    fix: "Send one complete statement in ordinary SQL.",
  },
};

type Danger = { kind: SqlKind; what: string; text: string };
const none: readonly Danger[] = [];
const dangersIn = rememberLatest(findDangers);
const hasDangers = (call: CallOnTrial) => dangersIn(call).length > 0;

export const sqlDetectors: readonly Detector[] = sqlKinds.map((kind) => ({
  id: `sql.${kind}`,
  ...described[kind],
  verdict: "require_approval" as const,
  relaxable: true,
  appliesTo: ({ needs }) => !needs.includes("files"),
  mayFind: hasDangers,
  find: (call) =>
    dangersIn(call)
      .filter((danger) => danger.kind === kind)
      .map(({ what, text }) => ({ message: `\`${excerpt(text)}\` ${excerpt(what)}.`, text })),
}));

function findDangers(call: CallOnTrial): readonly Danger[] {
  const given = sqlArguments(call);
  const texts = call.scripts.length === 0 ? given : [...given, ...sqlInScripts(call)];
  if (texts.length === 0) return none;
  return [...new Set(texts)].flatMap((text) => dangersInSql(text).map((danger) => ({ ...danger, text })));
}

const sqlTool =
  /(?:^|[^a-z])(?:sql|postgres(?:ql)?|pg|mysql|mariadb|sqlite|duckdb|clickhouse|bigquery|snowflake|redshift|oracle|mssql|database|db|supabase|neon)(?:[^a-z]|$)|sql/i;
const sqlName = /^(?:sql|sql[_-]?(?:query|text|statement|command)|statements?|queries)$/i;
/** What a statement that changes something begins with, and what comes next in SQL and not in prose. */
const startsLikeSql =
  /^\s*(?:(?:--[^\n]*\n|\/\*[^*]*\*\/)\s*)*(?:drop\s+(?:table|database|schema|view|index|user|role|column|function|trigger|sequence|materialized)\b|truncate\s+(?:table\s+)?[\w."`]+\s*(?:;|,|$|cascade|restart)|delete\s+from\b|update\s+[\w."`[\]]+\s+(?:as\s+\w+\s+)?set\b|alter\s+(?:table|database|schema|user|role|system)\b|grant\s[\w,\s]{1,300}\s(?:on|to)\b|revoke\s[\w,\s]{1,300}\s(?:on|from)\b|copy\s+[\w."(]|select\b[^.]*\b(?:from|load_file|into)\b|insert\s+into\b|with\s+\w+\s+as\s*\(|load\s+data\b|exec(?:ute)?\s+(?:immediate|xp_|sp_))/i;

function sqlArguments({ texts, tool, shell }: CallOnTrial): string[] {
  const isSqlTool = tool.source !== "builtin" && sqlTool.test(tool.name);
  return texts
    .filter(({ name, text }) => {
      if (shell && name === tool.primaryArgument) return false;
      if (sqlName.test(name) || (isSqlTool && /^(?:query|q|text|command|input|code|script)$/i.test(name))) return true;
      return text.length > 8 && startsLikeSql.test(text);
    })
    .map(({ text }) => text);
}

/** Clients of databases, by the letters whose value is a statement. */
const clients: ReadonlyMap<string, string> = new Map(
  Object.entries({
    c: "psql pgcli usql",
    e: "mysql mariadb mycli mysqlsh cockroach litecli hive beeline spark-sql",
    qQ: "sqlcmd mssql-cli",
    q: "clickhouse clickhouse-client clickhouse-local snowsql impala-shell",
    "": "sqlite sqlite3 duckdb isql bq sqlplus trino presto osqueryi",
  }).flatMap(([letters, names]) => names.split(" ").map((name) => [name, letters] as const)),
);
/** Where the first operand is the database. */
const takesFileFirst = /^(?:sqlite3?|litecli|duckdb)$/;
/** Options of these whose value is the next word and no statement. */
const valued = /^--?(?:separator|nullvalue|newline|init|vfs|maxsize|mmap|heap)$/;
const longOptions = ["--command", "--execute", "--query", "--cmd", "--eval", "--init-command"];

const textCommands = /^(?:echo|printf|[efzr]?grep|rg|ag|git|sed|[gmn]?awk|find)$/;

function sqlInScripts({ scripts }: CallOnTrial): string[] {
  const found: string[] = [];
  for (const { running } of scripts) {
    for (const { commands } of running) {
      for (const command of commands) {
        if (clients.has(command.name)) found.push(...givenToClient(command));
        else if (!textCommands.test(command.name))
          found.push(...command.words.filter((word) => /\s/.test(word) && startsLikeSql.test(word)));
      }
    }
  }
  return found;
}

/** What a client of a database is told to run: in an option, as an operand, or on its standard input. */
function givenToClient({ name, words, input }: RunningCommand): string[] {
  const letters = clients.get(name) ?? "";
  const isFile = takesFileFirst.test(name);
  const given: string[] = [];
  const operands: string[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const value = statementIn(word, letters);
    const next = words[at + 1] ?? "";
    if (isFile && valued.test(word)) at += 1;
    if (value) given.push(value);
    else if (value === "" && !/^-\S+$/.test(next)) {
      given.push(next);
      at += 1;
    } else if (!word.startsWith("-")) operands.push(word);
  }
  // sqlite3 db "select 1"; others take a statement where a word has blanks.
  const statements = isFile ? operands.slice(1) : operands.filter((word) => /\s/.test(word));
  return [...given, ...statements, ...(input === null ? [] : [input])].filter((text) => text.trim() !== "");
}

/** The statement in an option; empty where it is the next word, null when the option has none. */
function statementIn(word: string, letters: string): string | null {
  if (!/^-./s.test(word)) return null;
  if (/^(?:--?cmd|-[cs])$/.test(word) && letters === "") return "";
  if (word.startsWith("--")) return longOptions.some((option) => isLongOption(word, option)) ? (attachedValue(word) ?? "") : null;
  // With blanks, it is a statement behind whatever letter it stands.
  if (/\s/.test(word)) return /^-[a-zA-Z]*?[ceqQ](.+)$/s.exec(word)?.[1] ?? null;
  if (letters.includes(word.charAt(1))) return word.slice(2);
  return /^-\w+$/.test(word) && letters.includes(word.charAt(word.length - 1)) ? "" : null;
}
