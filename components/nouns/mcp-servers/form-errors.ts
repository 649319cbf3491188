type Errors = Record<string, unknown>;

/** Returns the errors below a prefix by the rest of their paths: `env.TOKEN` under `env.` is `TOKEN`. */
export function errorsByName(errors: Errors, prefix: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors)
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, message]) => [path.slice(prefix.length), String(message)]),
  );
}

/** Returns the first error below a prefix. */
export function errorUnder(errors: Errors, prefix: string): string | null {
  return Object.values(errorsByName(errors, prefix))[0] ?? null;
}
