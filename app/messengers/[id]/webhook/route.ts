import { answerRequest } from "@/server/api/answer-request";

type Context = { params: Promise<{ id: string }> };

/** Calls of platforms as Next answers them: in development and under `next start`. */
const answer = async (request: Request, { params }: Context) => answerRequest(request, [(await params).id, "webhook"], ["messengers"]);

export const GET = answer;
export const POST = answer;
export const PUT = answer;
export const PATCH = answer;
export const DELETE = answer;
