import pino from "pino";
import { env } from "./env";
import { loggableError } from "./loggable-error";
import { processWide } from "./process-wide";

/** Structured log on standard output: a JSON object a line. Never pass it a secret. */
export const log = () => processWide("log", () => pino({ level: env().logLevel, base: undefined, serializers: { err: loggableError } }));
