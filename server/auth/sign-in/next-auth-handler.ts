import "server-only";
import nextAuth from "next-auth";
import { env } from "@/server/platform/env";
import { nextAuthOptions } from "./next-auth-options";

type RouteContext = { params: Promise<{ nextauth: string[] }> };

/** Largest body of a sign-in form, because next-auth has no limit of its own. */
const maxBodyBytes = 16_384;

/** Answers everything under /api/auth. */
export async function nextAuthHandler(request: Request, context: RouteContext): Promise<Response> {
  const length = Number(request.headers.get("content-length") ?? (request.body ? Number.POSITIVE_INFINITY : 0));
  if (length > maxBodyBytes) return Response.json({ message: "This is too large for a sign-in." }, { status: 413 });
  // next-auth reads its own address only from this variable.
  process.env.NEXTAUTH_URL = new URL("/api/auth", env().publicUrl).href;
  return nextAuth(nextAuthOptions())(request, context);
}
