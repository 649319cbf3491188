import { answerRequest } from "@/server/api/answer-request";

type Context = { params: Promise<{ client: string }> };

/** Hooks of coding agents as Next answers them: in development and under `next start`. */
const answer = async (request: Request, { params }: Context) => answerRequest(request, [(await params).client], ["agent-hooks"]);

export const GET = answer;
export const POST = answer;
export const PUT = answer;
export const PATCH = answer;
export const DELETE = answer;
