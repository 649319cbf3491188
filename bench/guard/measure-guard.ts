import { decisionLines } from "./decisions";
import { hostileLines } from "./hostile";
import { shellLine } from "./shell-commands";

// The process of its own in which the guard is measured: it prints its lines of the table.
process.stdout.write(JSON.stringify([...(await decisionLines()), shellLine(), ...hostileLines()]));
