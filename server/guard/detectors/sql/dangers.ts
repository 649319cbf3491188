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
  "load_file xp_cmdshell xp_dirtree xp_regread sp_oacreate sp_execute_external_script pg_read_file pg_read_binary_file pg_ls_dir pg_stat_file lo_import lo_export load_extension sys_exec sys_eval dblink dblink_exec openrowset opendatasource readfile writefile edit utl_http utl_file dbms_scheduler dbms_xslprocessor query_to_xml database_to_xml read_csv_auto read_text".split(
    " ",
  ),
);
/** Words that change something when a statement begins with them. */
const changing = new Set(["alter", "drop", "truncate", "delete", "update", "grant", "revoke", "create", "attach"]);
const verbAfter = new Set("then else begin as explain analyze verbose loop do ) (".split(" "));
const maxDepth = 4;
/** Statements inside statements are looked at to their end, each by itself. */
const maxVerbs = 20;
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
  for (const { statements, unreadable } of readSql(withoutClient)) {
    if (unreadable) note("unreadable", `cannot be read as SQL: ${unreadable}`);
    if (statements.length > 1 && depth === 0) note("stacked", `has ${statements.length} statements`);
    for (const statement of statements) lookAtStatement(statement, depth, note);
  }
}

/** Lines that a client keeps for itself: `\! ls`, `.shell ls`. The text without them. */
function lookAtClientCommands(text: string, note: Note): string {
  if (!/^[ \t]*[\\.]|\\(?:!|copy|o|g|i)/m.test(text)) return text;
  const command =
    /^[ \t]*(?:\\(?:!|copy\b.*\bprogram\b|o\s*\||g\w*\s*\||i[r]?\b|w\s*\|)|\.(?:shell|system|load|import|output|once|read|excel|edit)\b)/im.exec(
      text,
    ) ?? /\\!/.exec(text);
  if (command) note("program", `has the client's command \`${command[0].trim()}\`, which runs a program or opens a file`);
  return text.replace(/^[ \t]*(?:\\[a-z!?].*|\.[a-z].*)$/gim, "");
}

function lookAtStatement(tokens: readonly SqlToken[], depth: number, note: Note): void {
  const start = tokens.find(({ value }) => value !== "(");
  if (start && !(start.kind === "word" && firstWords.has(start.value))) {
    note("unreadable", `begins with \`${start.value}\`, which is no statement of SQL that is known`);
  }
  const isUpsert = tokens.some(({ value }) => value === "conflict");
  let verbs = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "string" && isProgram(tokens, index)) look(token.value, depth + 1, note);
    if (token.kind !== "word") continue;
    lookAtWord(tokens, index, note);
    if (!changing.has(token.value) || !isVerb(tokens, index, isUpsert)) continue;
    verbs += 1;
    if (verbs > maxVerbs) {
      note("unreadable", `has more than ${maxVerbs} statements inside a statement`);
      return;
    }
    lookAtVerb(tokens, index, note);
  }
  if (tokens[0]?.kind === "word" && tokens[0].value === "copy") lookAtCopy(tokens, note);
}

/** A string that is run: the body of DO and of a function, and what EXECUTE and PREPARE get. */
function isProgram(tokens: readonly SqlToken[], index: number): boolean {
  const before = (back: number) => tokens[index - back]?.value;
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
  const { value } = tokens[index] ?? { value: "" };
  const next = tokens[index + 1];
  if (filesAndPrograms.has(value) && (next?.value === "(" || value.startsWith("xp_") || value.startsWith("sp_"))) {
    note("program", `calls ${value}, which reaches files or programs of the server`);
  }
  if (value === "into" && /^(?:outfile|dumpfile)$/.test(next?.value ?? ""))
    note("program", `writes a file of the server (INTO ${next?.value.toUpperCase()})`);
  if (value === "infile" && tokens[0]?.value === "load") note("program", "reads a file (LOAD DATA INFILE)");
}

function lookAtVerb(tokens: readonly SqlToken[], index: number, note: Note): void {
  const next = tokens[index + 1];
  switch (tokens[index]?.value) {
    case "alter":
      lookAtAlter(tokens, index, note);
      break;
    case "drop":
      if (next?.kind === "word")
        note("drop", `drops ${next.value === "table" ? "a table" : `${/^[aeiou]/.test(next.value) ? "an" : "a"} ${next.value}`}`);
      break;
    case "truncate":
      if (next && next.value !== "(") note("truncate", "empties a table");
      break;
    case "delete":
      if (next && !isBounded(tokens, index)) note("unbounded_change", "deletes every row of a table");
      break;
    case "update":
      if (hasAtDepth(tokens, index, "set") && !isBounded(tokens, index)) note("unbounded_change", "changes every row of a table");
      break;
    case "grant":
    case "revoke":
      note("grant", "changes who may do what");
      break;
    case "create":
      if (/^(?:user|role|login)$/.test(next?.value ?? "")) note("grant", `creates a ${next?.value}`);
      break;
    case "attach":
      note("program", "opens another database file");
      break;
  }
}

function lookAtAlter(tokens: readonly SqlToken[], index: number, note: Note): void {
  const what = tokens[index + 1]?.value ?? "";
  if (/^(?:user|role|login)$/.test(what)) note("grant", `changes a ${what}`);
  if (what === "system") note("program", "changes how the server runs");
  if (hasAtDepth(tokens, index, "drop")) note("alter_drop", `drops a part of a ${what || "table"}`);
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
  if (before.kind === "string" || before.kind === "number" || before.kind === "name") return false;
  if (!verbAfter.has(before.value)) return false;
  // `ON CONFLICT DO UPDATE` changes one row.
  return !(before.value === "do" && isUpsert);
}

/** The tokens of the statement that begins at an index, up to the parenthesis that it stands in. */
function* from(tokens: readonly SqlToken[], index: number): Generator<SqlToken> {
  const depth = tokens[index]?.depth ?? 0;
  for (let at = index; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || token.depth < depth) return;
    yield token;
  }
}

function hasAtDepth(tokens: readonly SqlToken[], index: number, word: string): boolean {
  const depth = tokens[index]?.depth;
  for (const token of from(tokens, index)) if (token.depth === depth && token.kind === "word" && token.value === word) return true;
  return false;
}

/** Whether a WHERE says which rows are meant; one that is always true does not. */
function isBounded(tokens: readonly SqlToken[], index: number): boolean {
  const depth = tokens[index]?.depth ?? 0;
  let inWhere = false;
  for (const { kind, value, depth: at } of from(tokens, index)) {
    if (inWhere) {
      if (at === depth && kind === "word" && /^(?:returning|limit|order)$/.test(value)) return false;
      if ((kind === "word" && !/^(?:true|not|and|or|is|like|in|between|null)$/.test(value)) || kind === "name") return true;
    } else if (at === depth && kind === "word" && value === "where") inWhere = true;
  }
  return false;
}
