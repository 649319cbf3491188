import { Script } from "node:vm";

/**
 * Returns code whose value the browser can answer: of an expression, of a function that is called, or of statements with
 * `return`. The code is only parsed here, never run.
 */
export function callable(code: string): string {
  const expression = `(async () => { const value = (${code}\n); return typeof value === "function" ? value() : value; })()`;
  const statements = `(async () => {${code}\n})()`;
  return isValid(expression) || !isValid(statements) ? expression : statements;
}

function isValid(code: string): boolean {
  try {
    new Script(code);
    return true;
  } catch {
    return false;
  }
}
