import { isApiProblem } from "./api-problem";

/** What a person reads about an error of any kind: what happened and what to do next. */
export function sentenceOf(error: unknown): string {
  if (isApiProblem(error)) return error.message;
  // fetch() throws a TypeError, worded by each browser, when nobody answers.
  if (error instanceof TypeError) return "The server cannot be reached. Check the connection and try again.";
  return "Something went wrong on this page. Reload it and try again.";
}
