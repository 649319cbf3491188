import { nextAuthHandler } from "@/server/auth/next-auth-handler";

export const GET = nextAuthHandler;
export const POST = nextAuthHandler;
