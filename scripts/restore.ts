/** `npm run restore -- <folder>`: see "Backup" in docs/operating/storage.md. */
import path from "node:path";
import { runBackupCommand } from "../server/backup/run-command";

process.exit(await runBackupCommand("restore", path.resolve(import.meta.dirname, ".."), process.argv.slice(2)));
