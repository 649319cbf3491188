import { openApiDocument } from "@/server/http/openapi";

/** Cache of the document, built at the first request: the contracts do not change while the process runs. */
let document: string | null = null;

export function GET(): Response {
  document ??= JSON.stringify(openApiDocument());
  return new Response(document, { headers: { "content-type": "application/json; charset=utf-8", "cache-control": "public, max-age=300" } });
}
