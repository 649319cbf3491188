import { Problem } from "@/contracts/common";

/** What the API refused, with its problem document; `message` is the sentence for people. */
export class ApiProblem extends Error {
  constructor(
    readonly problem: Problem,
    /** Seconds after which another try makes sense, when the server said so. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(problem.detail);
    this.name = "ApiProblem";
  }
}

export function isApiProblem(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem;
}

/** The problem of a response that is not a success; one is made up when a proxy answered in our place. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const retryAfter = Number(response.headers.get("retry-after"));
  const parsed = Problem.safeParse(await response.json().catch(() => null));
  const problem: Problem = parsed.success
    ? parsed.data
    : {
        type: "about:blank",
        title: response.statusText || "Error",
        status: response.status,
        code: "unexpected_answer",
        detail: `The server answered ${response.status} without saying why. Try again in a moment.`,
        requestId: response.headers.get("x-request-id") ?? "none",
      };
  return new ApiProblem(problem, Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null);
}
