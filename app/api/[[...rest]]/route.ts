import { noSuchEndpoint } from "@/server/http/steps/problem";

/** Answers addresses without an endpoint like every other refusal of the API. */
export const GET = noSuchEndpoint;
export const HEAD = noSuchEndpoint;
export const POST = noSuchEndpoint;
export const PUT = noSuchEndpoint;
export const PATCH = noSuchEndpoint;
export const DELETE = noSuchEndpoint;
export const OPTIONS = noSuchEndpoint;
