import { answerRequest } from "@/server/api/answer-request";

type Context = { params: Promise<{ path: string[] }> };

/** The REST API as Next answers it: in development, under `next start`, and addresses that the fast lane leaves to it. */
const answer = async (request: Request, { params }: Context) => answerRequest(request, (await params).path);

export const GET = answer;
export const POST = answer;
export const PUT = answer;
export const PATCH = answer;
export const DELETE = answer;
