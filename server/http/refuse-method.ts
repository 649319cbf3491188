import "server-only";
import { endpoints } from "@/contracts";
import type { Endpoint } from "@/contracts/endpoint";
import { AppError } from "@/server/platform/errors";
import { pathTree, plainSegments } from "./path-tree";
import { problemResponse } from "./steps/problem";

const all = Object.values(endpoints).flatMap((group) => Object.values<Endpoint>(group));
const methodsByAddress = Object.fromEntries(
  [...Map.groupBy(all, ({ path }) => path)].map(([path, group]): [string, string[]] => [path, group.map(({ method }) => method)]),
);
const findMethods = pathTree(methodsByAddress);
const patterns = Object.entries(methodsByAddress).map(([path, methods]) => ({
  methods,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}/?$`),
}));

type RefusedRequest = { method: string /** Without the query. */; path: string; requestId: () => string };

/**
 * Returns a problem document when an API address does not support the method, else null. Next would answer 405 with an
 * empty body.
 */
export function refuseMethod({ method, path, requestId }: RefusedRequest): Response | null {
  if (method === "OPTIONS") return null;
  const wanted = method === "HEAD" ? "GET" : method;
  const segments = plainSegments(path);
  if (segments && findMethods(segments)?.value.includes(wanted)) return null;
  const known = patterns.flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : []));
  if (known.length === 0 || known.includes(wanted)) return null;

  const allowed = [...new Set(known)].sort().join(", ");
  const refusal = new AppError("method_not_allowed", `${method} does nothing at ${path}. It takes ${allowed}; see /docs/api.`);
  const response = problemResponse(refusal, requestId());
  response.headers.set("allow", allowed);
  return response;
}
