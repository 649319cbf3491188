import { openApiDocument } from "@/server/http/openapi";

/** Made once a process, when somebody first asks: the contracts do not change while it runs. */
let document: string | null = null;

export function GET(): Response {
  document ??= JSON.stringify(openApiDocument());
  return new Response(document, { headers: { "content-type": "application/json; charset=utf-8", "cache-control": "public, max-age=300" } });
}
