import { isApiProblem } from "./api-problem";

/**
 * Returns the API's errors about single fields by form field name; empty when the error names no field.
 * @param nameOf maps the API's path `a.b` to the name of the form's field
 */
export function fieldErrors(error: unknown, nameOf: (path: string) => string = (path) => path): Record<string, string> {
  if (!isApiProblem(error)) return {};
  return Object.fromEntries((error.problem.errors ?? []).map(({ path, message }) => [nameOf(path), message]));
}
