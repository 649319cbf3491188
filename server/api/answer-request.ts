import "server-only";
import { pathTree } from "@/server/http/path-tree";
import { refuseMethod } from "@/server/http/refuse-method";
import { readRequestId } from "@/server/http/request-id";
import { handlerOf } from "@/server/http/routes";
import { noSuchEndpoint } from "@/server/http/steps/problem";
import { routes } from "./routes";

const find = pathTree(routes);

/**
 * Answers a request of the REST API that Next has decoded and normalized.
 * @param segments of the path after `base`
 */
export async function answerRequest(
  request: Request,
  segments: readonly string[],
  base: readonly string[] = ["api", "v1"],
): Promise<Response> {
  const found = find([...base, ...segments]);
  const handler = found && handlerOf(found.value, request.method);
  if (handler) return handler(request, { params: Promise.resolve(found.params) });
  const { pathname: path } = new URL(request.url);
  return refuseMethod({ method: request.method, path, requestId: () => readRequestId(request) }) ?? noSuchEndpoint(request);
}
