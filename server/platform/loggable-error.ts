type Loggable = { type: string; message: string; stack?: string; code?: string; cause?: Loggable };

/** Causes of causes are told this deep. */
const maxDepth = 4;

/**
 * What of an error goes to the log. Its other members stay out of it: drivers hang whole connections and the values of
 * failed statements on their errors, and values may be secrets.
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

/** Drizzle's message is the statement and, from its own line on, the values that it was sent with. */
function withoutValues(error: Error): string {
  return "query" in error && "params" in error ? error.message.replace(/\nparams: [\s\S]*$/, "") : error.message;
}
