import { type ShellWord, unknownPiece } from "../../script/words";
import { findOptionValues, isGiven } from "../given-options";
import {
  destroysElsewhere,
  type EffectSink,
  type FixedEffect,
  loadsCode,
  type OperandRole,
  type ProgramSpec,
  readsUnknown,
  runsAnother,
  runsUnknown,
  writesUnknown,
} from "../program";

/** The sandbox reaches no database of the machine, so a query to it runs outside of the sandbox. */
const localServer: FixedEffect = { kind: "query", target: { where: "outside" } };
export const destroysData = destroysElsewhere("deletes what a database keeps");
const reads = (word: ShellWord, value: string): ShellWord => ({ ...word, value });

/** The places of SQL in a client's words: values of options, or operands from this position on. */
const sqlIn: Readonly<Record<string, { options: string; operandsFrom: number | null }>> = {
  psql: { options: "-c --command", operandsFrom: null },
  mysql: { options: "-e --execute --init-command", operandsFrom: null },
  mariadb: { options: "-e --execute --init-command", operandsFrom: null },
  "clickhouse-client": { options: "-q --query", operandsFrom: null },
  clickhouse: { options: "-q --query", operandsFrom: null },
  sqlite3: { options: "-cmd", operandsFrom: 1 },
  duckdb: { options: "-c -s -cmd", operandsFrom: 1 },
  sqlcmd: { options: "-Q -q", operandsFrom: null },
};

/** Returns the words of a command that hold SQL or commands of the client. */
export function sqlWords(name: string, { parsed }: Pick<EffectSink, "parsed">): ShellWord[] {
  const place = sqlIn[name];
  if (!place) return [];
  const behind = place.operandsFrom === null ? [] : parsed.operands.slice(place.operandsFrom);
  return [...findOptionValues(parsed, place.options), ...behind];
}

/**
 * Adds the effects of the client's own commands, which run programs and touch files: `\! id`, `.shell id`, `.output x`,
 * `\copy t to program 'x'`.
 */
export function readsCommands(act: EffectSink): void {
  const { command, role, does } = act;
  const { input } = command.within;
  const [program] = command.words;
  const given = input && program ? [{ ...program, ...input }] : [];
  for (const word of [...sqlWords(command.name, act), ...given]) {
    const text = word.value;
    if (
      /(?:^|[\n;])\s*(?:\\!|pager\s|\\set\b[^\n]*`|\\(?:[gows]|gx|copy)\b[^\n]*(?:\||\bprogram\b)|\.(?:shell|system|sh)\b|system\s)|\b(?:from|to)\s+program\s*'|^\s*\.\w+\s+['"]?\||\\gx?\s*\||\bedit\s*\(/i.test(
        text,
      )
    ) {
      does(runsAnother, word);
    }
    if (/(?:^|[\n;])\s*\.load\b|\bload_extension\s*\(|(?:^|[\n;])\s*(?:force\s+)?(?:install|load)\s+(?!data\b)\w/i.test(text))
      does(loadsCode, word);
    for (const [, file = ""] of text.matchAll(/\b(?:attach(?:\s+database)?|vacuum\s+\w*\s*into)\s*'([^']+)'/gi))
      role("changes", reads(word, file));
    if (text.startsWith(unknownPiece)) does(runsUnknown, word);
    const [, verb = "", file] = /^\s*[.\\](\w+)\s+(?:.*\s)?['"]?([^\s'"|;]+)/.exec(text) ?? [];
    if (file !== undefined && /^(?:output|once|backup|save|clone|excel|o|w|log|out)$/.test(verb)) role("writes", reads(word, file));
    else if (file !== undefined && /^(?:read|import|open|restore|i|ir|include)$/.test(verb)) role("configures", reads(word, file));
    else if (/^\s*\\copy\b/i.test(text) || /\b(?:writefile|into\s+(?:out|dump)file|export\s+database)\b/i.test(text))
      does(writesUnknown, word);
    if (/\b(?:readfile|load_file|load\s+data\s+(?:local\s+)?infile|pg_read_file)\b/i.test(text)) does(readsUnknown, word);
  }
}

/** Adds the files named in SQL for DuckDB: `from 'a.csv'`, `copy t to 'b.parquet'`. */
export function namesFiles(act: EffectSink): void {
  readsCommands(act);
  for (const word of sqlWords("duckdb", act)) {
    for (const [, before = "", file = ""] of word.value.matchAll(/(\w+)\s*\(?\s*'([^']+)'/g)) {
      if (/^to$/i.test(before)) act.role("writes", reads(word, file));
      else if (/^(?:from|join|import|read_\w+|glob|parquet_scan)$/i.test(before)) act.role("remote_read", reads(word, file));
    }
  }
}

/** Connects to the host in an option, a URL or `host=…`; without a host, queries the server of this machine. */
export function connectsToServer(hostOptions: string): (act: EffectSink) => void {
  return (act) => {
    const { parsed, role, does } = act;
    readsCommands(act);
    for (const word of findOptionValues(parsed, "-o --output -L --log-file")) if (word.value.startsWith("|")) does(runsAnother, word);
    const named = [...parsed.operands, ...findOptionValues(parsed, "-d --dbname --db --database --uri -u")].filter(({ value }) =>
      /^[a-z][\w+.-]*:\/\/./i.test(value),
    );
    const given = [...parsed.operands, ...findOptionValues(parsed, "-d --dbname")].flatMap((word) => {
      const [, host] = /(?:^|[\s?&])host(?:addr)?\s*=\s*'?([^'\s&]+)/.exec(word.value) ?? [];
      return host === undefined ? [] : [reads(word, host)];
    });
    const hosts = [...findOptionValues(parsed, hostOptions), ...given];
    for (const word of named) role("url", word);
    for (const word of hosts) if (!word.value.startsWith("/")) role("host", word);
    if (named.length === 0 && !hosts.some(({ value }) => !value.startsWith("/"))) does(localServer);
    runsInputFile(act);
  };
}

/** Runs the file that a client gets as its input: a line in it may start programs (`\\!`, `system`). */
function runsInputFile({ command, role }: EffectSink): void {
  for (const { operator, target } of command.within.redirections) if (operator === "<") role("executes", target);
}
/** A file of options, one of which may load a plugin or name a pager. */
const clientOptions = { role: "reads", does: [loadsCode] } as const;

export const pgText: Record<string, OperandRole> = {
  "-h --host -p --port -U --username -d --dbname -n --schema -t --table -N --exclude-schema -T --exclude-table --role -j --jobs -Z --compress -F --format -E --encoding --lock-wait-timeout -S --superuser --template --maintenance-db --section -I --index -P --function":
    "text",
  "-f --file": "writes",
  "-L --use-list": "reads",
};
export const pg = (more: ProgramSpec): ProgramSpec => ({
  operands: ["text"],
  valued: pgText,
  special: connectsToServer("-h --host"),
  ...more,
});

const mysqlValued: ProgramSpec["valued"] = {
  "--defaults-file --defaults-extra-file": clientOptions,
  "--ssl-ca --ssl-cert --ssl-key --login-path": "reads",
  "--tee --result-file -r --tab --log-error": "writes",
  "--pager": runsAnother,
  "--plugin-dir --default-auth": loadsCode,
  "-h --host -u --user -P --port -S --socket -D --database -e --execute --init-command --default-character-set --ignore-table -w --where --protocol --prompt --delimiter --connect-timeout --ssl-mode --max-allowed-packet":
    "text",
};
export const mysql = (more: ProgramSpec = {}): ProgramSpec => ({
  operands: ["text"],
  attached: "-p",
  flags: { "--ssl": [] },
  valued: mysqlValued,
  special: connectsToServer("-h --host"),
  ...more,
});

/** Opens the file of an embedded database; without a file, or as `:memory:`, the database lives in memory. */
export function opensFile(act: EffectSink, then: (act: EffectSink) => void): void {
  const [file] = act.parsed.operands;
  if (file && !/^:memory:$|^$/.test(file.value))
    act.role(isGiven(act.parsed, "-readonly --readonly") ? "reads" : "changes", reads(file, file.value.replace(/^file:([^?]*).*$/, "$1")));
  then(act);
}

const redisWrites =
  /^(?:flushall|flushdb|del|unlink|shutdown|expire|expireat|pexpire|rename|migrate|restore|swapdb|hdel|srem|zrem\w*|xdel|xtrim|ltrim|lrem|lpop|rpop|spop|getdel|reset|failover|replicaof|slaveof|debug)$/i;

export function asksRedis(act: EffectSink): void {
  connectsToServer("-h")(act);
  const { parsed, does } = act;
  const [verb, second] = parsed.operands;
  if (verb && redisWrites.test(verb.value)) does(destroysData, verb);
  if (verb && /^(?:module|config)$/i.test(verb.value) && /^(?:load\w*|set|rewrite)$/i.test(second?.value ?? "")) does(loadsCode, verb);
  if (isGiven(parsed, "--pipe --eval -x") || verb?.certainty === "unknown") does({ kind: "query", target: { where: "not_known" } });
}

/** Adds the effects of an administration command; a word that deletes destroys data. */
export function administers(words: RegExp, hostOptions: string): (act: EffectSink) => void {
  return (act) => {
    connectsToServer(hostOptions)(act);
    for (const word of act.parsed.operands) if (words.test(word.value)) act.does(destroysData, word);
  };
}

/** Adds the effects of `pg_restore -f out.sql dump`: it writes SQL, and connects only when a database is named. */
export function restores(act: EffectSink): void {
  // A dump is SQL that the server runs, which may start programs there (`copy … to program`).
  const isRun = !isGiven(act.parsed, "-l --list -f --file");
  for (const file of act.parsed.operands) act.role(isRun ? "executes" : "reads", file);
  if (isRun) connectsToServer("-h --host")(act);
}

/** Calls of the Mongo shell that drop a database or a collection, or remove all documents. */
const dropsDocuments = /\b(?:drop(?:Database|Indexes)?|deleteMany|remove)\s*\(/;

/** Runs the script files of `mongosh URL file.js`, and notes drops. */
export function runsScripts(act: EffectSink): void {
  connectsToServer("--host -h")(act);
  for (const word of findOptionValues(act.parsed, "--eval")) if (dropsDocuments.test(word.value)) act.does(destroysData, word);
  for (const word of act.parsed.operands) if (/\.[cm]?js$/.test(word.value)) act.role("executes", word);
}

export function connectsToOperand({ parsed, role, does }: EffectSink): void {
  const [host] = parsed.operands;
  if (host) role("host", host);
  else does(localServer);
}
