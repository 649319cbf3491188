import { isApiProblem } from "./api-problem";

/**
 * Returns the API's errors about single fields by form field name; empty when the error names no field.
 * @param nameOf maps the API's path `a.b` to the name of the form's field
 */
export function fieldErrors(error: unknown, nameOf: (path: string) => string = (path) => path): Record<string, string> {
  if (!isApiProblem(error)) return {};
  return Object.fromEntries((error.problem.errors ?? []).map(({ path, message }) => [nameOf(path), message]));
}

type Issue = { path: readonly PropertyKey[]; message: string };

/**
 * Returns the mistakes that a schema found by form field; the last one of each field wins.
 * @param nameOf maps the path of a mistake to the form's field; by default its first member
 */
export function issueErrors(issues: readonly Issue[], nameOf = (path: readonly PropertyKey[]) => String(path[0])): Record<string, string> {
  return Object.fromEntries(issues.map(({ path, message }) => [nameOf(path), message]));
}
