import { nextAuthHandler } from "@/server/auth/sign-in/next-auth-handler";

export const GET = nextAuthHandler;
export const POST = nextAuthHandler;
