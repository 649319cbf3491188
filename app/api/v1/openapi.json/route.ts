import { openApiDocument } from "@/server/http/openapi";

/** Made once a process: the contracts do not change while it runs. */
const document = JSON.stringify(openApiDocument());

export function GET(): Response {
  return new Response(document, { headers: { "content-type": "application/json; charset=utf-8", "cache-control": "public, max-age=300" } });
}
