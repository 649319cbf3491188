import { hasAtDepth, hasTextForTable, isBounded, isMergeBounded } from "./conditions";
import { readSql, type SqlToken } from "./read-sql";

export const sqlKinds = ["drop", "truncate", "unbounded_change", "alter_drop", "grant", "program", "stacked", "unreadable"] as const;
export type SqlKind = (typeof sqlKinds)[number];
export type SqlDanger = { kind: SqlKind; what: string };

/** Words that a statement can begin with. */
const firstWords = new Set(
  "select with insert update delete merge replace upsert values table create alter drop truncate rename comment grant revoke deny explain describe desc show use set reset pragma begin start commit end rollback savepoint release lock unlock copy load call do execute exec prepare deallocate declare fetch close analyze analyse vacuum optimize reindex refresh cluster checkpoint discard listen notify unlisten attach detach if case while loop handler flush kill export import unload print go exit quit from".split(
    " ",
  ),
);
const filesAndPrograms = new Set(
  "load_file xp_cmdshell xp_dirtree xp_regread sp_oacreate sp_execute_external_script pg_read_file pg_read_binary_file pg_ls_dir pg_stat_file lo_import lo_export load_extension sys_exec sys_eval dblink dblink_exec openrowset opendatasource readfile writefile edit utl_http utl_file dbms_scheduler dbms_xslprocessor query_to_xml database_to_xml read_csv_auto read_text read_blob read_parquet read_json_auto lo_from_bytea lo_put pg_file_write pg_file_read pg_file_unlink pg_file_rename pg_file_sync pg_logdir_ls pg_ls_logdir pg_ls_waldir pg_ls_tmpdir pg_ls_archive_statusdir pg_current_logfile pg_execute_server_program dblink_connect dblink_send_query file_fdw fileio_write utl_tcp utl_smtp utl_inaddr httpuritype dbms_java dbms_lob bfilename".split(
    " ",
  ),
);
/** Functions that change how the server runs, or end what others do on it. */
const serverFunctions = new Set(
  "pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_promote pg_switch_wal pg_create_restore_point pg_wal_replay_pause pg_drop_replication_slot pg_replication_origin_drop pg_stat_reset pg_advisory_unlock_all set_config sp_configure sp_addsrvrolemember sp_addrolemember sp_addlogin sp_oamethod lo_unlink".split(
    " ",
  ),
);
/** Words that change something when a statement begins with them. */
const changing = new Set([
  "alter",
  "drop",
  "truncate",
  "delete",
  "update",
  "grant",
  "revoke",
  "create",
  "attach",
  "detach",
  "rename",
  "load",
  "reset",
  "set",
  "kill",
  "shutdown",
]);
const verbAfter = new Set("then else begin as explain analyze verbose loop do instead also ) (".split(" "));
const maxDepth = 4;
/** Statements inside statements are looked at to their end, each by itself. */
const maxVerbs = 20;
const maxNestedVerbs = 4;
/** More is not read: statements that people look at are shorter. */
const maxChars = 6_000;

/** What is dangerous in a text in SQL, each kind once. A mention inside a string, a name or a comment is none. */
export function dangersInSql(text: string): SqlDanger[] {
  const found = new Map<SqlKind, SqlDanger>();
  look(text, 0, (kind, what) => {
    if (!found.has(kind)) found.set(kind, { kind, what });
  });
  return [...found.values()];
}

type Note = (kind: SqlKind, what: string) => void;

function look(text: string, depth: number, note: Note): void {
  if (depth > maxDepth) {
    note("unreadable", "has programs inside programs");
    return;
  }
  if (text.length > maxChars) {
    note("unreadable", `is longer than ${maxChars.toLocaleString("en")} characters`);
    return;
  }
  const withoutClient = lookAtClientCommands(text, note);
  for (const { statements, isMysql, unreadable } of readSql(withoutClient)) {
    if (unreadable) note("unreadable", `cannot be read as SQL: ${unreadable}`);
    if (statements.length > 1 && depth === 0) note("stacked", `has ${statements.length} statements`);
    for (const statement of statements) lookAtStatement(statement, depth, isMysql, note);
  }
}

/** Lines that a client keeps for itself: `\! ls`, `.shell ls`. The text without them. */
function lookAtClientCommands(text: string, note: Note): string {
  if (!/^[ \t]*[\\.]|\\(?:!|copy|o|g|i)/m.test(text)) return text;
  const command =
    /^[ \t]*(?:\\(?:!|copy\b.*\bprogram\b|o\s*\||g\w*\s*\||i[r]?\b|w\s*\|)|\.(?:sh(?!ow\b)|sy|lo|im|ou|on|op|rea|res|exc|ed|ar|ba|cd|cl|sav|tr)[a-z]*\b)/im.exec(
      text,
    ) ?? /\\!/.exec(text);
  if (command) note("program", `has the client's command \`${command[0].trim()}\`, which runs a program or opens a file`);
  return text.replace(/^[ \t]*(?:\\[a-z!?].*|\.[a-z].*)$/gim, "");
}

function lookAtStatement(tokens: readonly SqlToken[], depth: number, isMysql: boolean, note: Note): void {
  const start = tokens.find(({ value }) => value !== "(");
  if (start && !(start.kind === "word" && firstWords.has(start.value))) {
    note("unreadable", `begins with \`${start.value}\`, which is no statement of SQL that is known`);
  }
  const isUpsert = tokens.some(({ kind, value }, at) => kind === "word" && value === "conflict" && tokens[at - 1]?.value === "on");
  let verbs = 0;
  const around: number[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "string" && isProgram(tokens, index)) look(token.value, depth + 1, note);
    // A name in quotes is called as one without them.
    if (token.kind === "word" || token.kind === "name") lookAtWord(tokens, index, note);
    if (token.kind !== "word") continue;
    if (!changing.has(token.value) || !isVerb(tokens, index, isUpsert)) continue;
    verbs += 1;
    while (around.length > 0 && Number(around.at(-1)) >= token.depth) around.pop();
    around.push(token.depth);
    if (verbs > maxVerbs || around.length > maxNestedVerbs) {
      const inside = verbs > maxVerbs ? `more than ${maxVerbs} statements inside a statement` : "statements inside of each other";
      note("unreadable", `has ${inside}`);
      return;
    }
    if (!(isMysql && hasTextForTable(tokens, index))) lookAtVerb(tokens, index, note);
  }
  if (tokens[0]?.kind === "word" && tokens[0].value === "copy") lookAtCopy(tokens, note);
}

/** A string that is run: the body of DO and of a function, and what EXECUTE and PREPARE get. */
function isProgram(tokens: readonly SqlToken[], index: number): boolean {
  // `N'...'` and `E'...'` are strings with a letter before them.
  const start = /^[ne]$/.test(tokens[index - 1]?.value ?? "") ? index - 1 : index;
  const before = (back: number) => tokens[start - back]?.value;
  if (before(1) === "do" || before(1) === "immediate" || before(1) === "execute" || before(1) === "exec") return true;
  if (before(1) === "(" && /^(?:exec|execute|sp_executesql|query_to_xml|dblink|dblink_exec)$/.test(before(2) ?? "")) return true;
  if (before(1) === "sp_executesql") return true;
  if (before(1) === "from" && tokens[0]?.value === "prepare") return true;
  if (before(2) === "language" && tokens[0]?.value === "do") return true;
  return (
    before(1) === "as" &&
    tokens[0]?.value === "create" &&
    tokens.slice(1, 5).some(({ value }) => value === "function" || value === "procedure")
  );
}

function lookAtWord(tokens: readonly SqlToken[], index: number, note: Note): void {
  const value = tokens[index]?.value.toLowerCase() ?? "";
  const next = tokens[index + 1];
  if (filesAndPrograms.has(value) && (next?.value === "(" || value.startsWith("xp_") || value.startsWith("sp_"))) {
    note("program", `calls ${value}, which reaches files or programs of the server`);
  }
  if (serverFunctions.has(value) && (next?.value === "(" || value.startsWith("sp_")))
    note("program", `calls ${value}, which changes how the server runs`);
  if (value === "into" && /^(?:outfile|dumpfile)$/.test(next?.value ?? ""))
    note("program", `writes a file of the server (INTO ${next?.value.toUpperCase()})`);
  if (value === "into" && tokens[0]?.value === "vacuum") note("program", "writes a file (VACUUM INTO)");
  if (value === "infile" && tokens[0]?.value === "load") note("program", "reads a file (LOAD DATA INFILE)");
}

function lookAtVerb(tokens: readonly SqlToken[], index: number, note: Note): void {
  const next = tokens[index + 1];
  switch (tokens[index]?.value) {
    case "alter":
      lookAtAlter(tokens, index, note);
      break;
    case "drop":
      if (next?.kind === "word") note("drop", `drops ${withArticle(next.value)}`);
      break;
    case "truncate":
      if (next && next.value !== "(") note("truncate", "empties a table");
      break;
    case "delete":
      if (next?.value === "from" || tokens[index - 1]?.value !== "then") {
        if (next && !isBounded(tokens, index)) note("unbounded_change", "deletes every row of a table");
      } else if (!isMergeBounded(tokens, index)) note("unbounded_change", "deletes every row that is merged");
      break;
    case "update":
      if (tokens[index - 1]?.value === "then" && tokens.some(({ value }) => value === "merge")) {
        if (!isMergeBounded(tokens, index)) note("unbounded_change", "changes every row that is merged");
      } else if (hasAtDepth(tokens, index, "set") && !isBounded(tokens, index)) note("unbounded_change", "changes every row of a table");
      break;
    case "grant":
    case "revoke":
      note("grant", "changes who may do what");
      break;
    case "create":
      lookAtCreate(tokens, index, note);
      break;
    case "set":
      if (
        /^(?:role|authorization)$/.test(next?.value ?? "") ||
        (/^(?:session|local)$/.test(next?.value ?? "") && /^(?:role|authorization)$/.test(tokens[index + 2]?.value ?? ""))
      )
        note("grant", "changes as whom the rest runs");
      else if (setsGlobally(tokens, index)) note("program", "changes how the server runs");
      break;
    case "kill":
    case "shutdown":
      note("program", "ends what the server runs");
      break;
    case "attach":
      note("program", "opens another database file");
      break;
    case "detach":
      if (/^(?:table|view|dictionary)$/.test(next?.value ?? "")) note("drop", `takes ${withArticle(next?.value ?? "")} away`);
      break;
    case "rename":
      if (/^(?:table|database|schema|user)$/.test(next?.value ?? ""))
        note("alter_drop", `gives ${withArticle(next?.value ?? "")} another name`);
      break;
    case "load":
      if (next?.kind === "string") note("program", "loads a library into the server");
      break;
    case "reset":
      if (/^(?:master|slave|replica|binary|persist)$/.test(next?.value ?? "")) note("program", "changes how the server runs");
      break;
  }
}

/** `set global a = 1`, `set a = 1, @@persist.b = 2`. */
function setsGlobally(tokens: readonly SqlToken[], index: number): boolean {
  return tokens.some(
    ({ value }, at) =>
      (at === index + 1 || (at > index && tokens[at - 1]?.value === ",")) &&
      /^(?:global|persist|persist_only|@@global|@@persist|@@persist_only)$/.test(value),
  );
}

/** Things that run programs, or change what other statements do, once they exist. */
function lookAtCreate(tokens: readonly SqlToken[], index: number, note: Note): void {
  const start = afterDefiner(tokens, index);
  const words = tokens.slice(start, start + 7).flatMap(({ kind, value }) => (kind === "word" ? [value] : []));
  const [what = ""] = words.filter((word) => !/^(?:or|replace|trusted|procedural|constraint|temp|temporary|aggregate)$/.test(word));
  if (/^(?:user|role|login|group)$/.test(what)) note("grant", `creates a ${what}`);
  else if (/^(?:extension|language|server|foreign|subscription|assembly|plugin|library|event|trigger)$/.test(what)) {
    note("program", `creates ${withArticle(what === "foreign" ? "foreign source" : what)}, which runs programs or reaches other machines`);
  } else if (/^(?:function|procedure)$/.test(what) && hasUnsafeLanguage(tokens.slice(index))) {
    note("program", `creates a ${what} in a language that reaches the machine`);
  } else if (what === "rule" && hasAtDepth(tokens, index, "do")) note("grant", "creates a rule, which changes what other statements do");
  else if (what === "policy") note("grant", "changes who may do what");
}

/** Where a CREATE says what it makes: behind its DEFINER, `create definer = root@localhost trigger`. */
function afterDefiner(tokens: readonly SqlToken[], index: number): number {
  const definer = tokens.slice(0, index + 4).findIndex(({ value }, at) => value === "definer" && tokens[at + 1]?.value === "=");
  const made = /^(?:aggregate|function|procedure|trigger|event|view)$/;
  return definer < 0 ? index + 1 : tokens.findIndex(({ kind, value }, at) => at > definer && kind === "word" && made.test(value));
}

function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? "an" : "a"} ${noun}`;
}

function hasUnsafeLanguage(tokens: readonly SqlToken[]): boolean {
  return tokens.some(
    ({ value }, at) => value === "language" && /^(?:c|internal|java|javascript|pl\w+u|plsh|plrust)$/i.test(tokens[at + 1]?.value ?? ""),
  );
}

function lookAtAlter(tokens: readonly SqlToken[], index: number, note: Note): void {
  const what = tokens[index + 1]?.value ?? "";
  if (/^(?:user|role|login|group|policy)$/.test(what)) note("grant", `changes a ${what}`);
  if (changesOwner(tokens, index) || hasAtDepth(tokens, index, "grant") || hasAtDepth(tokens, index, "revoke"))
    note("grant", "changes who may do what");
  if (what === "system") note("program", "changes how the server runs");
  const deletion = tokens.findIndex(({ value }, at) => at > index && value === "delete");
  if (what === "table" && deletion > 0 && tokens[deletion + 1]?.value === "where" && !isBounded(tokens, deletion))
    note("unbounded_change", "deletes every row of a table");
  if (hasAtDepth(tokens, index, "drop")) note("alter_drop", `drops a part of a ${what}`);
}

function lookAtCopy(tokens: readonly SqlToken[], note: Note): void {
  if (tokens.some(({ kind, value }) => kind === "word" && value === "program"))
    note("program", "runs a program on the server (COPY ... PROGRAM)");
  else if (tokens.some(({ kind }, index) => kind === "string" && /^(?:from|to)$/.test(tokens[index - 1]?.value ?? ""))) {
    note("program", "reads or writes a file of the server (COPY)");
  }
}

/** Where a statement, or one inside it, begins; elsewhere the same word is a name or a part of something else. */
function isVerb(tokens: readonly SqlToken[], index: number, isUpsert: boolean): boolean {
  const before = tokens[index - 1];
  if (!before) return true;
  if (isUnmistakable(tokens, index)) return true;
  if (before.kind === "string" || before.kind === "name") return false;
  if (!verbAfter.has(before.value)) return false;
  // `ON CONFLICT DO UPDATE` changes one row.
  return !(before.value === "do" && isUpsert);
}

/** Microsoft's server wants no sign between statements: `select 5 drop table a` are two. */
function isUnmistakable(tokens: readonly SqlToken[], index: number): boolean {
  const before = tokens[index - 1];
  if (before?.value === "select" || (before?.kind === "sign" && before.value !== "]")) return false;
  const [verb, next, third] = tokens.slice(index, index + 3).map(({ value }) => value);
  return (
    /^(?:drop (?:table|database|schema|view|user|login|procedure|function|trigger)|truncate table|delete from)$/.test(`${verb} ${next}`) ||
    (verb === "update" && third === "set")
  );
}

function changesOwner(tokens: readonly SqlToken[], index: number): boolean {
  return tokens.some(({ kind, value }, at) => at > index && kind === "word" && value === "owner" && tokens[at + 1]?.value === "to");
}
