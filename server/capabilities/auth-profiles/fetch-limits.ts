import type { FetchMethod } from "@/contracts/tools/auth-profiles";

type Limits = { name: string; fetchPaths: readonly string[]; fetchMethods: readonly FetchMethod[] };

/** Returns why a request may not carry the profile; null when it may. */
export function limitFault({ name, fetchPaths, fetchMethods }: Limits, url: string, method: FetchMethod): string | null {
  if (fetchMethods.length > 0 && !fetchMethods.includes(method))
    return `The auth profile "${name}" may be sent with ${fetchMethods.join(", ")} only, not with ${method}.`;
  const { pathname } = new URL(url);
  if (fetchPaths.length === 0) return null;
  // A server may read an escaped separator or dot as the real one, and leave the path that was checked.
  const isPlain = !/%(?:2e|2f|5c|00)/i.test(pathname);
  if (isPlain && fetchPaths.some((path) => lies(pathname, path))) return null;
  return `The auth profile "${name}" may be sent to ${fetchPaths.join(", ")} and below only, not to ${pathname}.`;
}

const lies = (pathname: string, path: string): boolean => pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
