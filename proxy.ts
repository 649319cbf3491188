import { type NextRequest, NextResponse } from "next/server";
import { pageContentSecurityPolicy } from "@/server/http/security-headers";

/** Runs before every page: gives it a nonce for its scripts, and tells it where the browser wants to go. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = crypto.randomUUID();
  const policy = pageContentSecurityPolicy(nonce, { isDev: process.env.NODE_ENV === "development" });
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("x-handrail-path", `${request.nextUrl.pathname}${request.nextUrl.search}`);
  // Next reads the nonce out of this one and puts it on every script of the page.
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

/** Pages only: the API, which may stream for minutes, and the files of the build pay nothing for it. */
export const config = {
  matcher: [
    "/((?!api/|mcp$|agent-hooks/|messengers/[^/]+/(?:webhook$|visits)|connect$|connect/|_next/static|_next/image|openapi\\.json|widget\\.js|favicon\\.ico).*)",
  ],
};
