import { answerRequest } from "@/server/api/answer-request";

/** The connection of coding agents as Next answers it: in development and under `next start`. */
export const GET = async (request: Request, { params }: { params: Promise<{ name?: string[] }> }): Promise<Response> =>
  answerRequest(request, (await params).name ?? [], ["connect"]);
