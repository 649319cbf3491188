import { identityEndpoints } from "@/contracts/identity";
import { issueToken } from "@/server/auth/issue-token";
import { route } from "@/server/http/route";

export const POST = route(identityEndpoints.token, ({ body, request, requestId }) => issueToken(body, request.headers, requestId));
