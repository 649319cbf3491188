import { answerRequest } from "@/server/api/answer-request";

type Context = { params: Promise<{ id: string; rest: string[] }> };

/** Calls of platforms and of websites as Next answers them: in development and under `next start`. */
const answer = async (request: Request, { params }: Context) => {
  const { id, rest } = await params;
  return answerRequest(request, [id, ...rest], ["messengers"]);
};

export const GET = answer;
export const POST = answer;
export const PUT = answer;
export const PATCH = answer;
export const DELETE = answer;
