import "server-only";
import type { Endpoint } from "@/contracts/endpoint";
import { isReply } from "@/server/endpoints/reply";
import { TextResponse } from "../text-response";

/** Last step of a request: checks the handler's answer against the contract, and writes the response. */
export function writeAnswer(endpoint: Endpoint, answer: unknown, requestId: string): Response {
  if (answer instanceof Response) {
    answer.headers.set("x-request-id", requestId);
    return answer;
  }
  const { body, status = endpoint.status ?? 200, headers = {} } = isReply(answer) ? answer : { body: answer };
  // A handler without a value answers an endpoint whose response has no members. Parsing drops private columns and proves that the answer matches the contract.
  const checked = endpoint.response ? endpoint.response.parse(body ?? {}) : body;
  return new TextResponse(JSON.stringify(checked), {
    status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      ...etagOf(checked),
      ...headers,
      "x-request-id": requestId,
    },
  });
}

function etagOf(body: unknown): Record<string, string> {
  const version = typeof body === "object" && body !== null && "version" in body ? body.version : null;
  return typeof version === "number" ? { etag: `"${version}"` } : {};
}
