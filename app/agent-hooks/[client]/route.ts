import { answerRequest } from "@/server/api/answer-request";

/** Hooks of coding agents as Next answers them: in development and under `next start`. */
export const POST = async (request: Request, { params }: { params: Promise<{ client: string }> }): Promise<Response> =>
  answerRequest(request, [(await params).client], ["agent-hooks"]);
