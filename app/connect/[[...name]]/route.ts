import { answerRequest } from "@/server/api/answer-request";

type Context = { params: Promise<{ name?: string[] }> };

/** The connection of coding agents as Next answers it: in development and under `next start`. */
const answer = async (request: Request, { params }: Context) => answerRequest(request, (await params).name ?? [], ["connect"]);

export const GET = answer;
export const POST = answer;
export const PUT = answer;
export const PATCH = answer;
export const DELETE = answer;
