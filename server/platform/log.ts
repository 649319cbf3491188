import pino from "pino";
import { env } from "./env";
import { loggableError } from "./loggable-error";
import { processWide } from "./process-wide";

/**
 * The structured log on standard output: one JSON object per line. Never pass a secret to it.
 *
 * The log writes through Node's own stream, because pino's stream retries for ever after its terminal is gone, and the
 * process would never end.
 */
export const log = () =>
  processWide("log", () => {
    process.stdout.on("error", () => {});
    return pino(
      { level: env().logLevel, base: undefined, serializers: { err: loggableError } },
      { write: (line) => void process.stdout.write(masking().mask(line)) },
    );
  });

/** The function that masks each line; identity until `maskLog` replaces it. */
const masking = () => processWide("log.masking", (): { mask: (line: string) => string } => ({ mask: (line) => line }));

/** Sets the function that masks secrets in every later line, because error messages may quote a call's arguments. */
export function maskLog(mask: (line: string) => string): void {
  masking().mask = mask;
}
