import "server-only";
import nextAuth from "next-auth";
import { env } from "@/server/platform/env";
import { nextAuthOptions } from "./next-auth-options";

type RouteContext = { params: Promise<{ nextauth: string[] }> };

/** Answers everything under /api/auth. */
export async function nextAuthHandler(request: Request, context: RouteContext): Promise<Response> {
  // next-auth knows its own address from this variable and from nothing else.
  process.env.NEXTAUTH_URL = new URL("/api/auth", env().publicUrl).href;
  return nextAuth(nextAuthOptions())(request, context);
}
