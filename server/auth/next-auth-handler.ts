import "server-only";
import nextAuth from "next-auth";
import { env } from "@/server/platform/env";
import { nextAuthOptions } from "./next-auth-options";

type RouteContext = { params: Promise<{ nextauth: string[] }> };

/** A sign-in form has a few hundred bytes; next-auth itself would read whatever comes. */
const maxBodyBytes = 16_384;

/** Answers everything under /api/auth. */
export async function nextAuthHandler(request: Request, context: RouteContext): Promise<Response> {
  const length = Number(request.headers.get("content-length") ?? (request.body ? Number.POSITIVE_INFINITY : 0));
  if (length > maxBodyBytes) return Response.json({ message: "This is too large for a sign-in." }, { status: 413 });
  // next-auth knows its own address from this variable and from nothing else.
  process.env.NEXTAUTH_URL = new URL("/api/auth", env().publicUrl).href;
  return nextAuth(nextAuthOptions())(request, context);
}
