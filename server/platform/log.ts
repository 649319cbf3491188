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
      { write: (line) => void process.stdout.write(line) },
    );
  });
