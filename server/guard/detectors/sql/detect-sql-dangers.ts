import type { SqlToken } from "@/server/sql-text/read-tokens";
import { isBounded, statementAt, statementText, tokenText } from "./bounded-change";
import { readSql } from "./read-sql";

export const sqlKinds = ["drop", "truncate", "unbounded_change", "alter_drop", "grant", "program", "stacked", "unreadable"] as const;
export type SqlKind = (typeof sqlKinds)[number];
export type SqlDanger = { kind: SqlKind; what: string };
type Row = readonly [kind: SqlKind, pattern: RegExp, what: string];

const create =
  /^create (?:(?:or|replace|trusted|procedural|constraint|temp|temporary|aggregate) )*(?:definer = \S+(?: @(?:\S+| \S+)| \( \))? )?/.source;
const serverSetting =
  /^alter system\b|^set (?:.* , )?(?:@@)?(?:global|persist|persist_only)\b|^reset (?:master|slave|replica|binary|persist)\b/;
const extending = RegExp(`${create}(extension|language|server|foreign|subscription|assembly|plugin|library|event|trigger)\\b`);
const inUnsafeLanguage = RegExp(`${create}(function|procedure) .*language '?(?:c|internal|java|javascript|pl\\w+u|plsh|plrust)\\b`);
const withFiles = / into (outfile|dumpfile)\b|^(vacuum) .*into '|^load .* (infile) |^copy (?:.* )?(program) |^copy .* (?:from|to) '/;
const reachesFiles =
  /(?:^| )"?(load_file|pg_(?:read|ls|logdir|stat_file|file|current_logfile|execute)\w*|lo_\w+|load_extension|sys_(?:exec|eval)|dblink\w*|openrowset|opendatasource|readfile|writefile|edit|utl_\w+|dbms_\w+|\w+_to_xml|read_(?:csv_auto|text|blob|parquet|json_auto)|file_fdw|fileio_write|httpuritype|bfilename)"? \(|(?:^| |")((?:xp_(?:cmdshell|dirtree|regread)|sp_(?:oacreate|execute_external_script))(?![\w']))/;
const changesServer =
  /(?:^| )"?(pg_(?:terminate_backend|cancel_backend|reload_conf|rotate_logfile|promote|switch_wal|create_restore_point|wal_replay_pause|drop_replication_slot|replication_origin_drop|stat_reset|advisory_unlock_all)|set_config)"? \(|(?:^| |")(sp_(?:configure|addsrvrolemember|addrolemember|addlogin|oamethod))(?![\w'])/;

/** Dangers of a statement from its verb on, at the outermost level; `$1` is the first matched group. */
const ofVerb: readonly Row[] = [
  ["drop", /^drop (\w+)/, "drops: $1"],
  ["drop", /^detach (table|view|dictionary)\b/, "takes away: $1"],
  ["truncate", /^truncate (?!\()/, "empties a table"],
  ["alter_drop", /^rename (table|database|schema|user)\b/, "gives another name: $1"],
  ["alter_drop", /^alter (\w+)(?: .*)? drop\b|^alter drop\b/, "drops a part: $1"],
  ["grant", /^(?:grant|revoke)\b|^alter .* (?:owner to|grant|revoke)\b|^(?:create|alter) policy\b/, "changes who may do what"],
  ["grant", RegExp(`^alter (user|role|login|group)\\b|${create}(user|role|login|group)\\b`), "creates or changes: $1"],
  ["grant", RegExp(`${create}rule .* do\\b`), "creates a rule, which changes what other statements do"],
  ["grant", /^set (?:(?:session|local) )?(?:role|authorization)\b/, "changes as whom the rest runs"],
  ["program", serverSetting, "changes how the server runs"],
  ["program", /^(?:kill|shutdown)\b/, "ends what the server runs"],
  ["program", /^attach\b/, "opens another database file"],
  ["program", /^load '/, "loads a library into the server"],
  ["program", extending, "runs programs or reaches other machines with what it creates: $1"],
  ["program", inUnsafeLanguage, "reaches the machine by the language of what it creates: $1"],
  ["unbounded_change", /^merge .* then (?:delete|update)\b/, "changes every row that is merged"],
];
/** Dangers of a statement as a whole. */
const ofStatement: readonly Row[] = [
  ["program", withFiles, "reads or writes a file of the server, or runs a program there"],
  ["program", reachesFiles, "calls $1, which reaches files or programs of the server"],
  ["program", changesServer, "calls $1, which changes how the server runs"],
];
const firstWord =
  /^(?:select|with|insert|update|delete|merge|upsert|replace|values|table|create|alter|drop|truncate|rename|comment|grant|revoke|deny|explain|describe|desc|show|use|set|reset|pragma|begin|start|commit|end|rollback|savepoint|release|lock|unlock|copy|load|call|do|execute|exec|prepare|deallocate|declare|fetch|close|analyze|analyse|vacuum|optimize|reindex|refresh|cluster|checkpoint|discard|listen|notify|unlisten|attach|detach|if|case|while|loop|handler|flush|kill|export|import|unload|print|go|exit|quit|from)$/;
const verb = /^(?:alter|drop|truncate|delete|update|grant|revoke|create|attach|detach|rename|load|reset|set|kill|shutdown|merge)$/;
/** Words after which a statement begins; elsewhere a verb is a name or a part of something else. */
const beforeVerb = /^(?:then|else|begin|as|explain|analyze|verbose|loop|do|instead|also|\)|\()$/;
/** Beginnings that are statements even without a separator, which Microsoft's server does not need. */
const unmistakable =
  /^(?:drop (?:table|database|schema|view|user|login|procedure|function|trigger)\b|truncate table\b|delete from\b|update \S+ set\b)/;
const transaction = /^(?:(?:begin|start|commit|end|rollback|savepoint|release)\b|set transaction\b)/;
/** Contexts in which a string is run: bodies of DO and of functions, arguments of EXECUTE and PREPARE. */
const runsString =
  /(?:^| )(?:do|immediate|execute|exec|sp_executesql|do language \S+)(?: [en])?$|(?:^| )"?(?:exec|execute|sp_executesql|query_to_xml|dblink|dblink_exec)"? \((?: [en])?$|^prepare \S+ from$|^create (?:\S+ ){0,3}(?:function|procedure) .* as$/;
const clientCommand =
  /^[ \t]*(?:\\(?:!|copy\b.*\bprogram\b|o\s*\||g\w*\s*\||ir?\b|w\s*\|)|\.(?:sh(?!ow\b)|sy|lo|im|ou|on|op|rea|res|exc|ed|ar|ba|cd|cl|sav|tr)[a-z]*\b)|\\!/im;
const maxSqlChars = 6_000;
const maxSqlDepth = 4;
/** Maximum number of nested statements that are checked one by one. */
const maxVerbs = 20;

/** Finds the dangers in a SQL text, each kind once. Mentions inside strings, names and comments do not count. */
export function detectSqlDangers(text: string): SqlDanger[] {
  const found = new Map<SqlKind, SqlDanger>();
  detectInText(text, 0, (kind, what) => void (found.has(kind) || found.set(kind, { kind, what })));
  return [...found.values()];
}

type Note = (kind: SqlKind, what: string) => void;

function detectInText(text: string, depth: number, note: Note): void {
  if (depth > maxSqlDepth || text.length > maxSqlChars) {
    note(
      "unreadable",
      depth > maxSqlDepth ? "has programs inside programs" : `is longer than ${maxSqlChars.toLocaleString("en")} characters`,
    );
    return;
  }
  const command = clientCommand.exec(text);
  if (command) note("program", `has the client's command \`${command[0].trim()}\`, which runs a program or opens a file`);
  for (const { statements, isMysql, unreadable } of readSql(text.replace(/^[ \t]*(?:\\[a-z!?].*|\.[a-z].*)$/gim, ""))) {
    if (unreadable) note("unreadable", `cannot be read as SQL: ${unreadable}`);
    const { length } = statements.filter((statement) => !transaction.test(statementText(statement)));
    if (length > 1 && depth === 0) note("stacked", `has ${length} statements`);
    for (const statement of statements) detectInTokens(statement, depth, isMysql, note);
  }
}

function detectInTokens(tokens: readonly SqlToken[], depth: number, isMysql: boolean, note: Note): void {
  const words = tokens.map(tokenText);
  const start = tokens.find(({ value }) => value !== "(");
  if (start && !(start.kind === "word" && firstWord.test(start.value)))
    note("unreadable", `begins with \`${start.value}\`, which is no statement of SQL that is known`);
  noteRows(ofStatement, words.join(" "), note);
  let verbs = 0;
  for (const [at, { kind, value }] of tokens.entries()) {
    if (kind === "string" && runsString.test([...words.slice(0, Math.min(5, at)), ...words.slice(Math.max(5, at - 6), at)].join(" ")))
      detectInText(value, depth + 1, note);
    if (kind !== "word" || !verb.test(value) || !isVerb(words, at)) continue;
    verbs += 1;
    if (verbs > maxVerbs) {
      note("unreadable", `has more than ${maxVerbs} statements inside a statement`);
      return;
    }
    const statement = statementAt(tokens, at);
    const text = statementText(statement);
    noteRows(ofVerb, text, note);
    if (isChange(tokens, statement, at, text) && !(isMysql && isForOthers(statement)) && !isBounded(statement))
      note("unbounded_change", `${value === "delete" ? "deletes" : "changes"} rows that its WHERE does not name`);
  }
}

function noteRows(rows: readonly Row[], text: string, note: Note): void {
  for (const [kind, pattern, what] of rows) {
    const match = pattern.exec(text);
    if (match) note(kind, what.replace("$1", match.slice(1).find((group) => group !== undefined) ?? ""));
  }
}

function isVerb(words: readonly string[], at: number): boolean {
  const before = words[at - 1] ?? "(";
  // `ON CONFLICT DO UPDATE` changes one row.
  if (beforeVerb.test(before)) return !(before === "do" && / on conflict /.test(words.slice(0, at).join(" ")));
  return before !== "select" && /[\w'"\]]$/.test(before) && unmistakable.test(words.slice(at, at + 3).join(" "));
}

/** Returns whether a statement changes rows; `ALTER TABLE t DELETE WHERE` does, too. */
function isChange(tokens: readonly SqlToken[], statement: readonly SqlToken[], at: number, text: string): boolean {
  const [{ value } = { value: "" }] = statement;
  if (value === "delete") return statement.length > 1 && !isMerged(tokens, at);
  if (value === "update") return / set\b/.test(text) && !isMerged(tokens, at);
  return / where\b/.test(text) && /^alter table .*(?<! on) (?:delete|update)\b/.test(text);
}

const isMerged = (tokens: readonly SqlToken[], at: number): boolean =>
  tokens[at - 1]?.value === "then" && tokens.some(({ value }) => value === "merge");

/** Returns whether MySQL cannot read a statement, because it has strings where other systems have quoted names. */
function isForOthers(tokens: readonly SqlToken[]): boolean {
  const table = tokens.find(({ kind, value }, at) => at > 0 && !(kind === "word" && /^(?:from|only)$/.test(value)));
  const hasOthers = tokens.some(
    ({ kind, value }, at) => (kind === "string" && tokens[at + 1]?.value === ".") || (kind === "placeholder" && /^\$\d/.test(value)),
  );
  return table?.kind === "string" || hasOthers;
}
