import type { Problem } from "@/contracts/common";

/** A refusal by the API with its problem document; `message` is the sentence for people. */
export class ApiProblem extends Error {
  constructor(
    readonly problem: Problem,
    /** Seconds until another try, from the server's Retry-After. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(problem.detail);
    this.name = "ApiProblem";
  }
}

export function isApiProblem(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem;
}

/** Reads the problem of a failed response; invents one when a proxy answered instead of the API. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const retryAfter = Number(response.headers.get("retry-after"));
  const answer: unknown = await response.json().catch(() => null);
  const problem: Problem = isProblem(answer)
    ? answer
    : {
        type: "about:blank",
        title: response.statusText || "Error",
        status: response.status,
        code: "unexpected_answer",
        detail: `The server answered ${response.status} without a reason. Try again in a moment.`,
        requestId: response.headers.get("x-request-id") ?? "none",
      };
  return new ApiProblem(problem, Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null);
}

/** Tells the API's problem document from JSON of a proxy. */
function isProblem(answer: unknown): answer is Problem {
  if (typeof answer !== "object" || answer === null) return false;
  const { title, status, detail, code, requestId } = answer as Partial<Record<keyof Problem, unknown>>;
  return typeof status === "number" && [title, detail, code, requestId].every((text) => typeof text === "string");
}
