import { isApiProblem } from "./api-problem";

/**
 * What the API says about single fields, by the name that they have in a form; nothing when it says nothing about fields.
 * @param nameOf the form's name of what the API calls `a.b`
 */
export function fieldErrors(error: unknown, nameOf: (path: string) => string = (path) => path): Record<string, string> {
  if (!isApiProblem(error)) return {};
  return Object.fromEntries((error.problem.errors ?? []).map(({ path, message }) => [nameOf(path), message]));
}
