import { type Program, type ProgramSpec, program } from "../program";
import {
  administers,
  asksRedis,
  connectsToOperand,
  connectsToServer,
  destroysData,
  mysql,
  namesFiles,
  opensFile,
  pg,
  pgText,
  readsCommands,
  restores,
  runsScripts,
} from "../special/databases";
import { overrideOptions } from "../special/override-options";

/** A script for the client, whose own commands may start programs. */
const clientScript = "executes" as const;
const fileOptions: ProgramSpec["valued"] = {
  "-init": "executes",
  "-f": "reads",
  "-cmd -c -s -separator -nullvalue -newline -vfs -mmap -maxsize -key -hexkey -textkey -lookaside -pagecache -heap -zip": "text",
};

const mongo: NonNullable<ProgramSpec["valued"]> = {
  "--eval": "code",
  "-f --file": "executes",
  "-o --out --archive": "writes",
  "--host -h --port -u --username -p --password --authenticationDatabase -d --db -c --collection -q --query --uri --type --fields --apiVersion":
    "text",
  "--tlsCAFile --tlsCertificateKeyFile --config": "reads",
};

/** Clients of databases, and programs that back databases up and restore them. */
export const databasePrograms: readonly Program[] = [
  program(
    "psql",
    pg({
      valued: overrideOptions(pgText, {
        "-f --file": "configures",
        "-o --output -L --log-file": "writes",
        "-c --command -v --set --variable -P --pset -F -R -T -d --dbname": "text",
      }),
    }),
  ),
  program("pg_dump pg_dumpall", pg({})),
  program("pg_basebackup", pg({ valued: overrideOptions(pgText, { "-D --pgdata": "writes" }) })),
  program("pg_restore", pg({ special: restores, flags: { "-c --clean": [destroysData] } })),
  program(
    "createdb createuser pg_isready vacuumdb reindexdb pgbench",
    pg({ valued: overrideOptions(pgText, { "-f --file": clientScript, "-l --locale -O --owner -D --tablespace": "text" }) }),
  ),
  program("dropdb dropuser", pg({ does: [destroysData] })),
  program("mysql mariadb mycli", mysql()),
  program("mysqldump mariadb-dump mysqlpump mysqlshow mysqlcheck", mysql()),
  program("mysqlimport", mysql({ operands: ["text", "reads"] })),
  program("mysqladmin mariadb-admin", mysql({ special: administers(/^(?:drop|shutdown|flush-\w+|kill)$/, "-h --host") })),
  program("sqlite3 sqlite", { wordOptions: true, valued: fileOptions, special: (act) => opensFile(act, readsCommands) }),
  program("duckdb", { wordOptions: true, valued: fileOptions, special: (act) => opensFile(act, namesFiles) }),
  program("mongosh mongo", { flags: { "--tls": [] }, valued: mongo, special: runsScripts }),
  program("mongodump mongoexport", { flags: { "--tls": [] }, valued: mongo, special: connectsToServer("-h --host") }),
  program("mongorestore mongoimport", {
    operands: ["reads"],
    valued: overrideOptions(mongo, { "--archive --file": "reads" }),
    special: connectsToServer("-h --host"),
    flags: { "--drop": [destroysData], "--tls": [] },
  }),
  program("redis-cli valkey-cli keydb-cli", {
    valued: {
      "-h -p -a -u -n -r -i -s -d --user --pass -D --count --pattern --memkeys-samples -X --cert-dir -t": "text",
      "--rdb --functions-rdb": "writes",
      "--eval": clientScript,
      "--cacert --cert --key": "reads",
    },
    flags: { "--memkeys": [] },
    special: asksRedis,
  }),
  program("clickhouse-client clickhouse", {
    valued: {
      "-h --host --port -u --user --password -d --database -q --query -f --format --param_x -m": "text",
      "--queries-file -C --config-file": "configures",
    },
    flags: { "-m": [] },
    special: connectsToServer("-h --host"),
  }),
  program("sqlcmd bcp", {
    operands: ["text"],
    valued: { "-S -U -P -d -Q -q -l -t -h -s -w -v": "text", "-i": "configures", "-o": "writes" },
    special: connectsToServer("-S"),
  }),
  program("cqlsh influx", {
    valued: { "-e --execute -u -p -k -host -port": "text", "-f --file": "configures" },
    special: connectsToOperand,
  }),
  program("etcdctl rabbitmqctl nats", {
    valued: { "--endpoints -s --server": "url", "-n --node": "text", "--cacert --cert --key": "reads" },
    special: administers(/^(?:del|rm|delete\w*|purge\w*|reset|force_reset|clear_\w+)$/, "--host"),
  }),
];
