type Loggable = { type: string; message: string; stack?: string; code?: string; cause?: Loggable };

/** The most nested causes that are logged. */
const maxDepth = 4;

/**
 * Returns the loggable parts of an error. Other members are dropped, because drivers attach connections and the values of
 * failed statements to their errors, and values may be secrets.
 */
export function loggableError(error: unknown, depth = 0): Loggable {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const message = withoutValues(error);
  const { stack, cause } = error;
  return {
    type: error.name,
    message,
    ...(stack ? { stack: stack.replace(error.message, () => message) } : {}),
    ...("code" in error && typeof error.code === "string" ? { code: error.code } : {}),
    ...(cause !== undefined && depth < maxDepth ? { cause: loggableError(cause, depth + 1) } : {}),
  };
}

/** Drops the values from a Drizzle message, which lists them on the line after the statement. */
function withoutValues(error: Error): string {
  return "query" in error && "params" in error ? error.message.replace(/\nparams: [\s\S]*$/, "") : error.message;
}
