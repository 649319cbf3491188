import type { Method } from "@/contracts/endpoint";
import type { AnsweredEndpoint } from "@/server/endpoints/answer";
import { type RouteContext, route } from "./route";

export type RouteHandler = (request: Request, context: RouteContext) => Response | Promise<Response>;

/** Handlers of one address by method, as a `route.ts` of Next exports them. */
export type RouteModule = { readonly [M in Method]?: RouteHandler };

/** Every route by its address as in the contracts. */
export type Routes = Readonly<Record<string, RouteModule>>;

/** @throws Error when an endpoint is answered twice */
export function toRoutes(answered: readonly AnsweredEndpoint[]): Routes {
  const routes: Record<string, { [M in Method]?: RouteHandler }> = {};
  for (const { endpoint, handler } of answered) {
    routes[endpoint.path] ??= {};
    const module = routes[endpoint.path] as { [M in Method]?: RouteHandler };
    if (module[endpoint.method]) throw new Error(`${endpoint.method} ${endpoint.path} is answered twice`);
    module[endpoint.method] = route(endpoint, handler);
  }
  return routes;
}

/** Returns the handler of a method. As in Next, GET also answers HEAD; the body is dropped later. */
export function handlerOf(module: RouteModule, method: string): RouteHandler | undefined {
  switch (method) {
    case "GET":
    case "HEAD":
      return module.GET;
    case "POST":
    case "PUT":
    case "PATCH":
    case "DELETE":
      return module[method];
    default:
      return undefined;
  }
}
