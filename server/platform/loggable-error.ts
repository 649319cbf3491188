type Loggable = { type: string; message: string; stack?: string; code?: string; cause?: Loggable };

/** The most nested causes that are logged. */
const maxDepth = 4;

/** Characters of a failed statement that are logged: enough to find it, because an outage fails many long ones. */
const maxStatement = 200;

/**
 * Returns the loggable parts of an error. Other members are dropped, because drivers attach connections and the values of
 * failed statements to their errors, and values may be secrets.
 */
export function loggableError(error: unknown, depth = 0): Loggable {
  if (!isErrorLike(error))
    return { type: typeof error, message: typeof error === "object" ? "an object without a message" : String(error) };
  const message = shortened(error);
  const { stack, cause } = error;
  return {
    type: error.name ?? "object",
    message,
    ...(stack ? { stack: stack.replace(error.message, () => message) } : {}),
    ...("code" in error && typeof error.code === "string" ? { code: error.code } : {}),
    ...(cause !== undefined && depth < maxDepth ? { cause: loggableError(cause, depth + 1) } : {}),
  };
}

type ErrorLike = { name?: string; message: string; stack?: string; cause?: unknown };

/** pg-boss emits copies of errors, which are no instances of Error. */
const isErrorLike = (thrown: unknown): thrown is ErrorLike =>
  thrown instanceof Error || (typeof thrown === "object" && thrown !== null && "message" in thrown && typeof thrown.message === "string");

/** Drops the values from a Drizzle message, which lists them on the line after the statement, and the statement's end. */
function shortened(error: ErrorLike): string {
  if (!("query" in error && "params" in error)) return error.message;
  const statement = error.message.replace(/\nparams: [\s\S]*$/, "");
  return statement.length <= maxStatement ? statement : `${statement.slice(0, maxStatement)} …`;
}
