import pino from "pino";
import { env } from "./env";
import { loggableError } from "./loggable-error";
import { processWide } from "./process-wide";

/**
 * Structured log on standard output: a JSON object a line. Never pass it a secret.
 *
 * Written through Node's own stream: pino's retries for ever when the terminal behind it is gone, and the process then
 * never ends.
 */
export const log = () =>
  processWide("log", () => {
    process.stdout.on("error", () => {});
    return pino(
      { level: env().logLevel, base: undefined, serializers: { err: loggableError } },
      { write: (line) => void process.stdout.write(masking().mask(line)) },
    );
  });

/** What a line goes through before it is written; as it is until somebody provides what knows secrets. */
const masking = () => processWide("log.masking", (): { mask: (line: string) => string } => ({ mask: (line) => line }));

/** Takes what masks secrets in every line from now on: messages of errors may quote what a call was given. */
export function maskLog(mask: (line: string) => string): void {
  masking().mask = mask;
}
