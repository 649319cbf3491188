import { isApiProblem } from "./api-problem";

/** Returns the sentence for people about an error: the failure and the next step. */
export function toErrorSentence(error: unknown): string {
  if (isApiProblem(error)) {
    // The API's own sentence is about API keys, but a person has a session.
    return error.problem.status === 401 ? "Your session has ended. Sign in again; what you typed stays here." : error.message;
  }
  // fetch() throws a TypeError, worded differently by each browser, when the server does not answer.
  if (error instanceof TypeError) return "The server cannot be reached. Check the connection and try again.";
  return "Something went wrong on this page. Reload it and try again.";
}
